import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { makeUser } from '../../../tests/support/backend'
import { network } from '../../../tests/support/network'
import { renderApp } from '../../../tests/support/render-app'

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

test('each bar of two charts is a link that says its number', async () => {
  await renderApp({ url: '/', user: root, prepare: () => answer({ days }) })
  const links = async (name: string) =>
    within(await screen.findByRole('list', { name }))
      .getAllByRole('link')
      .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])
  expect(await links('New users by day')).toEqual([
    ['Nov 21: 0 users', '/users?created_from=2026-11-21&created_to=2026-11-21'],
    ['Nov 22: 1 user', '/users?created_from=2026-11-22&created_to=2026-11-22'],
    ['Nov 23: 3 users', '/users?created_from=2026-11-23&created_to=2026-11-23'],
  ])
  expect((await links('Active users by day'))[1]).toEqual([
    'Nov 22: 1,234 users, audit log',
    '/audit?from=2026-11-22&to=2026-11-22',
  ])
})

test('a chart is one tab stop; arrow keys show day and number, and Enter opens the users of the day', async () => {
  const { actor, router } = await renderApp({ url: '/', user: root, prepare: () => answer({ days }) })
  const region = within(await screen.findByRole('region', { name: 'New users by day' }))
  const bar = (name: string) => region.getByRole('link', { name })
  bar('Nov 23: 3 users').focus()
  expect(await region.findByText('Nov 23: 3 users')).toBeInTheDocument()
  await actor.keyboard('{ArrowLeft}')
  expect(bar('Nov 22: 1 user')).toHaveFocus()
  // A pointer that crosses the chart leaves the chosen bar.
  await actor.hover(bar('Nov 21: 0 users'))
  expect(region.getByText('Nov 21: 0 users')).toBeInTheDocument()
  await actor.unhover(bar('Nov 21: 0 users'))
  expect(region.getByText('Nov 22: 1 user')).toBeInTheDocument()
  await actor.keyboard('{Home}{ArrowLeft}')
  expect(bar('Nov 21: 0 users')).toHaveFocus()
  await actor.tab()
  expect(screen.getByRole('link', { name: 'Nov 23: 9 users, audit log' })).toHaveFocus()
  expect(region.getByText('Last 30 days (UTC)')).toBeInTheDocument()
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
