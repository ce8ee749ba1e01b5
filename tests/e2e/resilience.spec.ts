import { enterState, type State } from '../support/states.ts'
import { expect, expectRow, goTo, test } from './fixtures.ts'

const dashboard: State = { name: 'dashboard', as: 'superuser', url: '/' }
const chunkOfUsers = '**/assets/users-*.js'

test(
  'a chunk that a deploy took away: the page loads again, once, where one was going',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED|Failed to fetch dynamically imported module|preload|Error in route match/)
    await enterState(page, dashboard, scene.superuser)
    await page.route(chunkOfUsers, (route) => route.abort())
    page.once('domcontentloaded', () => void page.unroute(chunkOfUsers))
    await goTo(page, 'Users')
    await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
    await expectRow(page, { Email: 'ada@example.com' })
  },
)

test(
  'a chunk that stays away shows the panel, and the page does not load again and again',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED|Failed to fetch dynamically imported module|preload|Error in route match|%o/)
    await enterState(page, dashboard, scene.superuser)
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.route(chunkOfUsers, (route) => route.abort())
    await goTo(page, 'Users')
    await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
    expect(loads).toBeLessThanOrEqual(2)
  },
)

test('pointing at a link loads its code and its data', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, dashboard, scene.superuser)
  const code = page.waitForRequest(chunkOfUsers)
  const data = page.waitForRequest('**/api/v1/users/?*')
  await page.getByRole('link', { name: 'Users' }).hover()
  await Promise.all([code, data])
})

test('after the log-in the dashboard needs no further code', { tag: '@wide' }, async ({ page, newUser }) => {
  const { email, password } = await newUser()
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.waitForLoadState('networkidle')
  const late: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && late.push(request.url()))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Hi/ })).toBeVisible()
  expect(late).toEqual([])
})
