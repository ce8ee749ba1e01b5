import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { makeUser } from '../../support/backend'
import { network } from '../../support/network'
import { renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const days = [
  { day: '2026-11-21', new_users: 0, active_users: 7 },
  { day: '2026-11-22', new_users: 1, active_users: 1234 },
  { day: '2026-11-23', new_users: 3, active_users: 9 },
]

function answer(given: object) {
  const failed_log_ins = { last_day: 0, day_before: 0 }
  const users = { active: 2, inactive: 0, invited: 0, expiring: 0, idle: 0, failed_log_ins, newest: [] }
  network.use(
    http.get('*/users/me/overview', () =>
      HttpResponse.json({ items: { count: 0, recently_edited: [] }, users, ...given }),
    ),
  )
}

const openCharts = () => renderApp({ url: '/', user: root, prepare: () => answer({ days }) })

const chart = async (name: string) => within(await screen.findByRole('region', { name }))

test('the days of a chart are texts, and the chart is one link', async () => {
  await openCharts()
  const users = await chart('New users by day')
  const texts = (region: typeof users) => region.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts(users)).toEqual(['Nov 21: 0 users', 'Nov 22: 1 user', 'Nov 23: 3 users'])
  expect(users.getByRole('link', { name: 'Nov 23: 3 users' })).toHaveAttribute(
    'href',
    '/users?created_from=2026-11-23&created_to=2026-11-23',
  )
  const active = await chart('Active users by day')
  expect(texts(active)[1]).toBe('Nov 22: 1,234 users')
  expect(active.getByRole('link', { name: 'Nov 23: 9 users, audit log' })).toHaveAttribute(
    'href',
    '/audit?from=2026-11-23&to=2026-11-23',
  )
})

test('a chart leads to the day under the pointer, and says what it is', async () => {
  const { router } = await openCharts()
  const users = await chart('New users by day')
  const link = users.getByRole('link')
  vi.spyOn(link, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 300, 80))
  const said = (text: string) => expect(users.getByText(text, { selector: 'p' })).toBeInTheDocument()
  fireEvent.pointerMove(link, { clientX: 110 })
  said('Nov 21: 0 users')
  fireEvent.pointerMove(link, { clientX: 250 })
  said('Nov 22: 1 user')
  fireEvent.pointerMove(link, { clientX: 401 })
  said('Nov 23: 3 users')
  fireEvent.pointerLeave(link)
  said('Last 30 days (UTC)')
  // A finger presses without moving before.
  fireEvent.pointerDown(link, { clientX: 201 })
  fireEvent.click(link)
  await waitFor(() => expect(router.state.location.href).toBe('/users?created_from=2026-11-22&created_to=2026-11-22'))
})

test('arrow keys choose a day of a chart, and Enter opens its users', async () => {
  const { actor, router } = await openCharts()
  const users = await chart('New users by day')
  const link = users.getByRole('link')
  act(() => link.focus())
  expect(link).toHaveAccessibleName('Nov 23: 3 users')
  await actor.keyboard('{ArrowLeft}')
  expect(link).toHaveAccessibleName('Nov 22: 1 user')
  expect(users.getByText('Nov 22: 1 user', { selector: 'p' })).toHaveAttribute('aria-live', 'polite')
  await actor.keyboard('{Home}{ArrowLeft}')
  expect(link).toHaveAccessibleName('Nov 21: 0 users')
  await actor.tab()
  expect(screen.getByRole('link', { name: 'Nov 23: 9 users, audit log' })).toHaveFocus()
  expect(users.getByText('Last 30 days (UTC)')).toBeInTheDocument()
  await actor.tab({ shift: true })
  await actor.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'Users' })).toBeInTheDocument()
  expect(router.state.location.href).toBe('/users?created_from=2026-11-21&created_to=2026-11-21')
})

test('a back end without days shows no charts', async () => {
  await renderApp({ url: '/', user: root, prepare: () => answer({}) })
  await screen.findByRole('list', { name: 'Numbers' })
  expect(screen.queryByRole('region', { name: 'New users by day' })).not.toBeInTheDocument()
})
