import type { Page } from '@playwright/test'
import { saveData } from '../support/reported-network.ts'
import {
  entry,
  expect,
  expectToast,
  holdCode,
  isHydrated,
  passwordField,
  rendered,
  test,
  withoutStream,
} from './fixtures.ts'
import { closedInstance } from '../support/states.ts'
import { anyResource } from '../support/samples.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function signIn(page: Page, token: string | null): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('access_token', value), token ?? '')
}

const resourcePaths = anyResource.map(({ table }) => `/${table}`)

const place = (page: Page, selector: string) =>
  page.locator(selector).evaluate((node) => node.getBoundingClientRect().toJSON() as object)

for (const path of [
  '/login',
  '/signup',
  '/recover-password',
  '/reset-password?token=some',
  '/accept-invitation?token=some',
  '/confirm-email?token=some',
]) {
  test(`${path} is visible before its code has loaded, and does not move then`, async ({ page }) => {
    const release = await holdCode(page)
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('#root h1').waitFor()
    // The font may change before the first frame.
    await rendered(page)
    const button = path.startsWith('/confirm-email') ? '#root [href="/login"]' : '#root [type=submit]'
    const before = [await place(page, '#root h1'), await place(page, button)]
    const heading = await page.locator('#root h1').elementHandle()
    release()
    await isHydrated(page)
    expect([await place(page, '#root h1'), await place(page, button)]).toEqual(before)
    expect(await heading.evaluate((element) => element.isConnected)).toBe(true)
  })
}

test('/login does not move when the server says that sign-up is closed', async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/instance', async (route) => {
    await held
    await route.fulfill({ json: closedInstance })
  })
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeVisible()
  const before = await place(page, '#root h1')
  release()
  await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0)
  expect(await place(page, '#root h1')).toEqual(before)
})

test(
  'text typed before the code has loaded stays and is sent once, with no password in a URL',
  { tag: '@wide' },
  async ({ page, newUser }) => {
    const ada = await newUser({ fullName: 'Ada Lovelace' })
    const release = await holdCode(page)
    const requested: string[] = []
    page.on('request', (request) => requested.push(`${request.method()} ${request.url()}`))
    await page.goto('/login', { waitUntil: 'commit' })
    const email = page.getByLabel('Email')
    await email.pressSequentially(ada.email)
    await passwordField(page).fill(ada.password)
    // The page holds this event, too, until its code has loaded.
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.keyboard.press('Tab')
    await passwordField(page).press('Enter')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(passwordField(page)).toHaveAttribute('type', 'password')
    release()
    await expect(page.getByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeVisible()
    expect(requested.filter((request) => request.endsWith('/login/access-token'))).toHaveLength(1)
    expect(requested.filter((request) => request.includes('password='))).toEqual([])
  },
)

test('text typed before the code has loaded is validated', { tag: '@wide' }, async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/signup', { waitUntil: 'commit' })
  await page.getByLabel('Full Name').fill('Kay')
  await page.getByLabel('Email').fill('a@b')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  release()
  await isHydrated(page)
  await expect(page.getByLabel('Full Name')).toHaveValue('Kay')
  await expect(page.getByLabel('Email')).toHaveValue('a@b')
  await expect(passwordField(page)).toHaveAttribute('type', 'text')
  await page.getByLabel('Email').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Full Name is required')).toBeHidden()
})

for (const [name, url] of [
  ['a guest page', '/login'],
  ['a signed-in page', '/users'],
] as const) {
  test(
    `${name} whose code fails to load says so and offers a reload`,
    { tag: '@wide' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 404|ERR_FAILED/)
      if (url === '/users') await signIn(page, scene.superuser)
      let fails = true
      await page.route(entry, (route) => (fails ? route.fulfill({ status: 404 }) : route.continue()))
      await page.goto(url)
      await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible()
      fails = false
      await page.getByRole('link', { name: 'Reload' }).click()
      await expect(page.getByRole('link', { name: 'Reload' })).toHaveCount(0)
      await expect(page).toHaveTitle(/ - Steward$/)
    },
  )
}

test(
  'the outline of the shell is shown before its code has loaded, with the sidebar as it was left',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await signIn(page, scene.user)
    await page.context().addCookies([{ name: 'sidebar_state', value: 'false', domain: 'localhost', path: '/' }])
    const release = await holdCode(page)
    await page.goto('/settings', { waitUntil: 'commit' })
    await page.locator('[inert] svg').waitFor()
    const before = await place(page, '#root svg >> nth=0')
    release()
    await expect(page.locator('[inert]')).toHaveCount(0)
    expect(await place(page, '#root aside svg >> nth=0')).toEqual(before)
  },
)

for (const path of ['/', '/security', ...resourcePaths, '/settings']) {
  const isShown = path === '/' || path === '/security'
  const what = isShown ? 'has the place of its page' : 'is empty'
  test(`SPEC 2: ${path} ${what} before its code has loaded`, { tag: '@wide' }, async ({ page, scene }) => {
    await signIn(page, scene.user)
    const release = await holdCode(page)
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('[inert] svg').waitFor()
    await expect(page.locator('[inert] .animate-appear').last()).toBeVisible({ visible: isShown })
    release()
    await expect(page.locator('[inert]')).toHaveCount(0)
  })
}

const withoutPage = (url: string) => decodeURIComponent(url.replaceAll('+', ' ')).replace(/skip=\d+/, '')

for (const path of [...resourcePaths, '/users?page=1', '/']) {
  const list = path === '/' ? '/api/v1/users/me/overview' : `/api/v1${path.split('?')[0]}/?skip=0&limit=50`
  test(
    `${path} requests what it shows once, while its code loads`,
    { tag: '@wide' },
    async ({ page, scene, server }) => {
      await signIn(page, scene.superuser)
      await withoutStream(page)
      const requested: string[] = []
      page.on('request', (request) => {
        if (/\/api\/(?!v1\/events)/.test(request.url())) requested.push(request.url().slice(server.url.length))
      })
      const release = await holdCode(page)
      const prefetched = page.waitForResponse((response) => response.url().endsWith(list))
      await page.goto(path, { waitUntil: 'commit' })
      await prefetched
      // The pointer begins in the corner, which is a part of the link to the dashboard. There it would preload that.
      await page.mouse.move(1276, 700)
      release()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      // No list waits for the capabilities, the audit log or the number of rows of further resources.
      const isLater = (url: string) =>
        url === '/api/v1/instance' || (path === '/' && (url.startsWith('/api/v1/audit/') || url.endsWith('/?limit=1')))
      const shown = requested.filter((url) => !isLater(url))
      // The previous and next pages of the list are prefetched.
      const others = shown.filter((url) => url === list || withoutPage(url) !== withoutPage(list))
      expect(others.toSorted()).toEqual([list, '/api/v1/users/me'].toSorted())
      expect(new Set(requested).size).toBe(requested.length)
    },
  )
}

for (const path of [
  `/users?q=${'x'.repeat(256)}`,
  ...resourcePaths.map((list) => `${list}?owner_id=me`),
  '/users?created_from=2026-02-31',
  ...resourcePaths.map((list) => `${list}?page=2`),
  '/users?idle_days=0',
  '/users?status=x&sort=y&role=superuser',
])
  test(
    `${path.slice(0, 60)} requests its list when its code is there, and nothing is refused`,
    { tag: '@wide' },
    async ({ page, scene }) => {
      await signIn(page, scene.superuser)
      const lists: string[] = []
      const refused: string[] = []
      page.on('request', (request) => {
        if (/\/api\/v1\/\w+\/\?/.test(request.url())) lists.push(request.url())
      })
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(response.url())
      })
      const release = await holdCode(page)
      const account = page.waitForResponse((response) => response.url().endsWith('/api/v1/users/me'))
      await page.goto(path, { waitUntil: 'commit' })
      await account
      expect(lists).toEqual([])
      release()
      await page
        .getByRole('status')
        .filter({ hasText: / of | found|No / })
        .or(page.getByRole('table'))
        .or(page.getByRole('heading', { name: /^No / }))
        .first()
        .waitFor()
      await expect.poll(() => lists).not.toEqual([])
      expect(refused).toEqual([])
    },
  )

test('a regular user’s page does not prefetch the users', { tag: '@wide' }, async ({ page, scene }) => {
  await signIn(page, scene.user)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto('/users')
  await expect(page.getByRole('heading', { name: /^Hi, / })).toBeVisible()
  expect(requested.filter((url) => url.includes('/users/?'))).toEqual([])
})

test(
  'a dialog whose code fails to load says so, and opens on the next click',
  { tag: '@wide' },
  async ({ page, scene, newUser, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load resource|There is no network/)
    await newUser()
    await saveData(page)
    await signIn(page, scene.superuser)
    await page.goto('/users')
    const button = page.getByRole('button', { name: 'Add User' })
    await button.waitFor()
    await page.context().setOffline(true)
    await button.press('Enter')
    await expectToast(page, 'This could not be loaded. Check your connection and try again.')
    await expect(button).toBeFocused()
    await page.context().setOffline(false)
    await button.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Add User' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()

    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByLabel('Full Name').fill('Renamed')
    await page.keyboard.press('Enter')
    await expectToast(page, 'User updated successfully.')
  },
)

test(
  'a page of an older version reloads when a click needs code that is gone',
  { tag: '@wide' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404|ERR_|Failed to fetch dynamically imported module/)
    await saveData(page)
    await signIn(page, scene.superuser)
    let isGone = false
    await page.route('**/assets/*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
    await page.goto('/users')
    const button = page.getByRole('button', { name: 'Add User' })
    await button.waitFor()
    // Simulates a deploy, which removes the files of the previous version.
    isGone = true
    const loadedAnew = page.waitForEvent('load')
    await button.press('Enter')
    await loadedAnew
    isGone = false
    await page.reload()
    await expect(page.getByRole('dialog', { name: 'Add User' })).toBeVisible()
  },
)

test('a valid reset link is not called incomplete while its page loads', { tag: '@wide' }, async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/reset-password?token=some', { waitUntil: 'commit' })
  await expect(page.getByText('Reset Password').first()).toBeVisible()
  await expect(page.getByText(/link is incomplete/)).toHaveCount(0)
  release()
  await expect(page.getByRole('textbox', { name: /^New Password/ })).toBeVisible()
})

test(
  'with blocked storage, the application starts and reports it at log-in',
  { tag: '@wide' },
  async ({ page, newUser }) => {
    const { email, password } = await newUser()
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied', 'SecurityError')
          },
        })
    })
    await page.goto('/settings')
    await page.getByLabel('Email').fill(email)
    await passwordField(page).fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('Your browser does not store the session')
  },
)
