import type { State } from '../support/state.ts'
import { enterState } from '../support/states.ts'
import { Api } from '../support/api.ts'
import { anyResource } from '../support/samples.ts'
import { saveData } from '../support/reported-network.ts'
import { screenOf } from '../support/screen-sample.ts'
import type { Page } from '@playwright/test'
import { expect, expectRow, expectToast, goTo, isHydrated, rendered, test } from './fixtures.ts'

const dashboard: State = { name: 'dashboard', as: 'superuser', url: '/' }
/** This chunk contains the page of the audit log. */
const chunkOfAudit = '**/assets/audit-*.js'

async function loadFurtherCode(page: Page): Promise<void> {
  const load = async (chunk: string) => (await page.waitForResponse(`**/assets/${chunk}-*.js`)).finished()
  await Promise.all(['pages', 'dashboard', 'dialogs'].map(load))
}

const linkToAudit = (page: Page) => page.getByRole('link', { name: 'Audit log', exact: true })

test(
  'a chunk that a deploy removed: the target page reloads once',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED|Failed to fetch dynamically imported module|preload|Error in route match/)
    let reloads = 0
    await page.route(chunkOfAudit, (route) => (reloads > 0 ? route.continue() : route.abort()))
    await enterState(page, dashboard, scene.superuser)
    page.on('request', (request) => (reloads += request.isNavigationRequest() ? 1 : 0))
    await linkToAudit(page).click()
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
    expect(reloads).toBe(1)
  },
)

test(
  'a chunk that stays missing shows the error panel, and the page does not reload repeatedly',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED|Failed to fetch dynamically imported module|preload|Error in route match|%o/)
    await page.route(chunkOfAudit, (route) => route.abort())
    await enterState(page, dashboard, scene.superuser)
    const reloaded = page.waitForEvent('domcontentloaded')
    await linkToAudit(page).click()
    await reloaded
    const panel = page.getByRole('heading', { name: 'Something went wrong!' })
    await expect(panel).toBeVisible()
    let navigations = 0
    page.on('request', (request) => (navigations += request.isNavigationRequest() ? 1 : 0))
    const failedAgain = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await failedAgain
    await expect(panel).toBeVisible()
    await rendered(page)
    expect(navigations).toBe(0)
  },
)

test(
  'a page whose code has not loaded shows the error panel offline, and opens when online again',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED|There is no network/)
    await saveData(page)
    await enterState(page, dashboard, scene.superuser)
    await page.context().setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await linkToAudit(page).click()
    await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  },
)

test('hovering over a link preloads its data', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, dashboard, scene.superuser)
  const data = page.waitForRequest('**/api/v1/users/?*')
  await page.getByRole('link', { name: 'Users', exact: true }).hover()
  await data
})

for (const sample of anyResource) {
  const { title } = screenOf(sample.table)
  test('where data is saved, only a press loads code and data', { tag: '@wide' }, async ({ page, scene }) => {
    await saveData(page)
    await enterState(page, dashboard, scene.superuser)
    const lists: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`/api/v1/${sample.table}/?`)) lists.push(request.url())
    })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title, exact: true }).hover()
    const code = page.waitForRequest(chunkOfAudit)
    await linkToAudit(page).click()
    await code
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
    expect(lists).toEqual([])
  })
}

test('the greeting does not wait for further code after log-in', { tag: '@wide' }, async ({ page, newUser }) => {
  const { email, password } = await newUser()
  let isHeld = false
  await page.route('**/*.js', (route) => (isHeld ? undefined : route.continue()))
  await page.goto('/login')
  // These chunks load when the browser is idle after the first focus.
  const further = loadFurtherCode(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await further
  isHeld = true
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Hi/ })).toBeVisible()
})

for (const sample of anyResource) {
  const { path, title, Noun, fields } = screenOf(sample.table)
  const [name] = sample.searched
  const [{ label }] = fields
  const labelled = new RegExp(`^${label}( \\*)?$`)

  test(
    `offline, ${title} show an error, and typed text stays; once online, it is saved once`,
    { tag: '@wide' },
    async ({ page, context, newUser, loginAs, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/)
      // Other code loads when the browser is idle.
      const code = loadFurtherCode(page)
      await loginAs(await newUser())
      await code
      await context.setOffline(true)
      await goTo(page, title)
      await expect(page.getByText('You are offline.')).toBeVisible()
      await expect(page.getByRole('heading', { name: title })).toHaveCount(0)
      await context.setOffline(false)
      await page.getByRole('button', { name: `Add ${Noun}` }).click()
      await expect(page.getByText('You are offline.')).toHaveCount(0)
      await page.getByLabel(labelled).fill('Written offline')
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'Something went wrong.')
      await expect(page.getByLabel(labelled)).toHaveValue('Written offline')
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Save' }).click()
      await expectRow(page, { [label]: 'Written offline' })
      await expect(page.getByRole('row')).toHaveCount(2)
    },
  )

  test(
    `two tabs with ${title} always have the same user`,
    { tag: '@wide' },
    async ({ page, context, newUser, server }) => {
      const [ada, grace] = [await newUser({ fullName: 'Ada Lovelace' }), await newUser({ fullName: 'Grace Hopper' })]
      const api = await Api.logIn(server.url, ada)
      await api.createRow(sample, { [name]: 'A secret of Ada' })
      const { token: tokenOfGrace } = await Api.logIn(server.url, grace)
      await page.goto('/login')
      await page.evaluate((token) => localStorage.setItem('access_token', token), api.token)
      await page.goto(path)
      await expectRow(page, { [label]: 'A secret of Ada' })
      const other = await context.newPage()
      await other.goto('/')
      await other.evaluate((token) => localStorage.setItem('access_token', token), tokenOfGrace)
      await expect(page.getByRole('heading', { name: `No ${title.toLowerCase()}` })).toBeVisible()
      await expect(page.getByText('Grace Hopper')).toBeVisible()
      expect(await page.content()).not.toMatch(/Ada|secret/)
    },
  )
}

test(
  'typed text stays when the code of other pages is gone',
  { tag: '@wide' },
  async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_FAILED|preload/)
    await page.route('**/assets/pages-*.js', (route) => route.abort())
    await page.goto('/login')
    await isHydrated(page)
    const requested = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/pages-'))
    await page.getByLabel('Email').fill('ada@example.com')
    await requested
    await rendered(page)
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  },
)
