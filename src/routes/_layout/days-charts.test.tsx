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

test('two charts have their numbers as tables', async () => {
  await renderApp({ url: '/', user: root, prepare: () => answer({ days }) })
  const table = await screen.findByRole('table', { name: 'Active users by day' })
  expect(
    within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['DayUsers', 'Nov 217', 'Nov 221,234', 'Nov 239'])
  expect(screen.getByRole('table', { name: 'New users by day' })).toBeInTheDocument()
})

test('a chart is one tab stop; arrow keys show day and number', async () => {
  const { actor } = await renderApp({ url: '/', user: root, prepare: () => answer({ days }) })
  const region = within(await screen.findByRole('region', { name: 'New users by day' }))
  const chart = region.getByRole('slider', { name: 'New users by day' })
  chart.focus()
  expect(await region.findByText('Nov 23: 3 users')).toBeInTheDocument()
  await actor.keyboard('{ArrowLeft}')
  expect(chart).toHaveAttribute('aria-valuetext', 'Nov 22: 1 user')
  // A pointer that crosses the chart leaves the chosen bar.
  await actor.hover(chart)
  await actor.unhover(chart)
  expect(region.getByText('Nov 22: 1 user')).toBeInTheDocument()
  await actor.keyboard('{Home}{ArrowLeft}')
  expect(region.getByText('Nov 21: 0 users')).toBeInTheDocument()
  await actor.tab()
  expect(screen.getByRole('slider', { name: 'Active users by day' })).toHaveFocus()
  expect(region.getByText('Last 30 days (UTC)')).toBeInTheDocument()
})

test('a back end without days shows no charts', async () => {
  await renderApp({ url: '/', user: root, prepare: () => answer({}) })
  await screen.findByRole('list', { name: 'Numbers' })
  expect(screen.queryByRole('region', { name: 'New users by day' })).not.toBeInTheDocument()
})
