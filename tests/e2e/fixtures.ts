import { test as base, type BrowserContext, expect, type Page } from '@playwright/test'
import { Api, type NewPerson, type Person } from '../support/api.ts'
import { ask } from '../support/http.ts'
import { findResetLink } from '../support/outbox.ts'
import { withoutStream } from '../support/without-stream.ts'
import { makeScene } from '../support/scene.ts'
import { removeData, type RunningServer, startServer } from '../support/running-server.ts'

/** @public */
export { expect, withoutStream }

type Credentials = Pick<Person, 'email' | 'password'>

interface TestFixtures {
  newUser: (values?: Partial<NewPerson>) => Promise<Person>
  loginAs: (person: Credentials) => Promise<void>
  /** Other console errors and uncaught errors fail the test. */
  expectedConsoleErrors: RegExp[]
  otherPage: Page
  startOwnServer: typeof startServer
}

interface WorkerFixtures {
  server: RunningServer
  root: Api
  scene: Awaited<ReturnType<typeof makeScene>>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
      removeData(server.dataDir)
    },
    { scope: 'worker' },
  ],

  root: [async ({ server }, use) => use(await Api.ofSuperuser(server.url)), { scope: 'worker' }],

  scene: [async ({ server }, use) => use(await makeScene(server.url)), { scope: 'worker', timeout: 60_000 }],

  baseURL: async ({ server }, use) => use(server.url),

  expectedConsoleErrors: async ({}, use) => use([]),

  context: async ({ context }, use) => {
    const violations = await watchPolicy(context)
    await use(context)
    expect(violations, 'violations of the Content-Security-Policy').toEqual([])
  },

  otherPage: async ({ browser, server }, use) => {
    const context = await browser.newContext({ baseURL: server.url })
    const violations = await watchPolicy(context)
    await use(await context.newPage())
    await context.close()
    expect(violations, 'violations of the Content-Security-Policy').toEqual([])
  },

  // Call `page.route` before you open the page. Chromium may send requests around a route that is added later.
  page: async ({ page, expectedConsoleErrors }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      // The event stream reconnects until the server is back, and Chromium reports each failure.
      const isStream = message.location().url.endsWith('/api/v1/events')
      if (!isStream && ['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await use(page)
    // A request that is still on its way would fail in the next test.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    const unexpected = complaints.filter((text) => !expectedConsoleErrors.some((pattern) => pattern.test(text)))
    expect(unexpected, 'unexpected console output').toEqual([])
  },

  startOwnServer: async ({ page }, use) => {
    const servers: RunningServer[] = []
    await use(async (...args) => {
      const server = await startServer(...args)
      servers.push(server)
      return server
    })
    // Requests of the open page would fail when the servers stop.
    await page.close()
    for (const server of servers) await server.stop()
    for (const { dataDir } of servers) removeData(dataDir)
  },

  newUser: async ({ root }, use) => use((values) => root.createUser(values)),

  loginAs: async ({ page, server }, use) => {
    await use(async (person) => {
      await beginSession(page, server, person)
      await page.goto('/')
      await expect(page.getByRole('heading', { name: /^Hi, / })).toBeVisible()
    })
  },
})

export async function beginSession(page: Page, { url }: RunningServer, person: Credentials): Promise<void> {
  const { token } = await Api.logIn(url, person)
  // This URL has the same origin, but not the application.
  await page.goto(`${url}/livez`)
  await page.evaluate((value) => localStorage.setItem('access_token', value), token)
}

export const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))

export async function endOnServer(page: Page, url: string): Promise<void> {
  await ask('POST', `${url}/api/v1/logout`, { token: (await tokenIn(page)) ?? '' })
}

/** Removes the token outside of the application, because its requests would fail without the token. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto(new URL('/livez', page.url()).href)
  await page.evaluate(() => localStorage.removeItem('access_token'))
}

export async function logIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await passwordField(page).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: /^Hi, / })).toBeVisible()
}

/** Records violations of the Content-Security-Policy, which fail every test. */
async function watchPolicy(context: BrowserContext): Promise<string[]> {
  const violations: string[] = []
  await context.exposeBinding('reportViolation', (_source, violation: string) => violations.push(violation))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) => {
      const { reportViolation } = window as unknown as { reportViolation: (violation: string) => void }
      reportViolation(`${effectiveDirective}: ${blockedURI} ${sourceFile} ${sample}`)
    })
  })
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  return violations
}

/** Waits for two frames, after which all earlier changes are visible. */
export function rendered(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
}

/** @public */
export const entry = /\/assets\/entry-[^/]*\.js$/

export async function holdCode(page: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(entry, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** Waits until the code of a prerendered page has taken over. */
export const isHydrated = (page: Page) =>
  page.waitForFunction(() => window.releaseHeldEvents === undefined && document.title !== 'Steward')

export function passwordField(page: Page, label = 'Password') {
  return page.getByRole('textbox', { name: label, exact: false }).first()
}

/** Waits for the password reset mail. @returns its link without the origin */
export async function resetLink(server: RunningServer, email: string): Promise<string> {
  let link: string | undefined
  await expect.poll(async () => (link = await findResetLink(server.dataDir, email))).toBeDefined()
  return link ?? ''
}

export async function goTo(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  if (!(await link.isVisible())) await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await link.click()
}

export async function openUserMenu(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await button.click()
}

const wholeText = (text: string) => new RegExp(`^${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`)

export async function expectRow(page: Page, cells: Record<string, string>): Promise<void> {
  let rows = page.locator('tbody tr')
  for (const [heading, text] of Object.entries(cells))
    rows = rows.filter({ has: page.locator(`td[data-label="${heading}"]`, { hasText: wholeText(text) }) })
  await expect(rows.first()).toBeVisible()
}

export async function expectToast(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('region', { name: /notifications/i }).getByText(text)).toBeVisible()
}
