import type { Page } from '@playwright/test'
import { Api } from '../support/api.ts'
import { superuser } from '../support/running-server.ts'
import { STEP_MS, totpCode, wrongTotpCode } from '../support/totp.ts'
import { beginSession, expect, expectToast, forgetSession, passwordField, test } from './fixtures.ts'

const greeting = (page: Page) => page.getByRole('heading', { name: /^Hi, / })
const code = (page: Page) => page.getByRole('textbox', { name: /^Code/ })

/** The code of the next time step. The server accepts it, and the setup has used up the current one. */
const nextCode = (secret: string) => totpCode(secret, Date.now() + STEP_MS)

async function shownSecret(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  return (await page.locator('code').innerText()).replaceAll(' ', '')
}

function shownCodes(page: Page): Promise<string[]> {
  return page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
}

async function saveCodes(page: Page): Promise<void> {
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Done' }).click()
}

async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.goto('/security')
  await page.getByRole('button', { name: 'Set Up' }).click()
  const secret = await shownSecret(page)
  await expect(code(page)).toBeFocused()
  await page.keyboard.type(totpCode(secret, Date.now()))
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeFocused()
  return { secret, codes: await shownCodes(page) }
}

async function enterPassword(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await passwordField(page).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Two-step login' })).toBeVisible()
}

async function logOut(page: Page): Promise<void> {
  await forgetSession(page)
  await page.goto('/login')
}

test(
  'an app is set up, logs in, is replaced by a recovery code and turned off',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 400/)
    const person = await newUser()
    await loginAs(person)
    const { secret, codes } = await setUp(page)
    expect(codes).toHaveLength(10)
    const dialog = page.getByRole('dialog', { name: 'Recovery Codes' })
    await page.keyboard.press('Escape')
    await expectToast(page, 'Save your recovery codes first.')
    await page.goBack()
    await expect(dialog).toBeVisible()
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
    await saveCodes(page)
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('10 recovery codes left')).toBeVisible()

    await logOut(page)
    await enterPassword(page, person)
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(wrongTotpCode(secret, Date.now()))
    await expect(page.getByText('Incorrect code')).toBeVisible()
    await expect(code(page)).toBeFocused()
    // The wrong code is selected, so that typing replaces it.
    await page.keyboard.type(nextCode(secret))
    await expect(greeting(page)).toBeVisible()

    await logOut(page)
    await enterPassword(page, person)
    await code(page).fill(codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(greeting(page)).toBeVisible()

    await page.goto('/security')
    await expect(page.getByText('9 recovery codes left')).toBeVisible()
    await page.getByRole('button', { name: 'Turn Off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn Off' }).click()
    await expectToast(page, 'Two-step login is off.')
    await expect(page.getByRole('button', { name: 'Set Up' })).toBeVisible()
  },
)

test(
  'a begun log-in goes on after a reload and after another page, in its tab alone',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 400/)
    const person = await newUser()
    await loginAs(person)
    await setUp(page)
    await saveCodes(page)
    await logOut(page)
    const response = page.waitForResponse('**/login/access-token')
    await enterPassword(page, person)
    const { second_factor } = (await (await response).json()) as { second_factor: { login: string } }
    const title = page.getByRole('heading', { name: 'Two-step login' })
    await expect(title).toBeVisible()
    const shared = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, Object.entries(localStorage)]),
    )
    expect(shared).not.toContain(second_factor.login)
    for (const leave of [() => page.reload(), () => page.goto('/signup').then(() => page.goBack())]) {
      await leave()
      await expect(title).toBeVisible()
      await expect(page.getByLabel(/^Code/)).toBeFocused()
    }
    const other = await page.context().newPage()
    await other.goto('/login')
    await expect(other.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(second_factor.login)
  },
)

test(
  'an old log-in is confirmed by a code, and new recovery codes are shown',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 423/)
    let isOld = true
    await page.route('**/users/me/recovery-codes', async (route) => {
      if (!isOld) return route.fallback()
      isOld = false
      await route.fulfill({ status: 423, json: { detail: 'Please confirm that it is you' } })
    })
    await loginAs(await newUser())
    const { secret, codes } = await setUp(page)
    await saveCodes(page)
    await page.getByRole('button', { name: 'New Recovery Codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make New Codes' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible()
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(nextCode(secret))
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
    const renewed = await shownCodes(page)
    expect(renewed.filter((one) => codes.includes(one))).toEqual([])
    expect(renewed).toHaveLength(10)
    await saveCodes(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

test(
  'a superuser resets the second factor of a user, who logs in with the password alone',
  { tag: '@wide' },
  async ({ page, otherPage, server, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 401/)
    const person = await newUser()
    await loginAs(person)
    await setUp(page)
    await saveCodes(page)
    await beginSession(otherPage, server, superuser)
    await otherPage.goto(`/users?q=${encodeURIComponent(person.email)}`)
    await otherPage.getByRole('link', { name: 'Ada Lovelace' }).click()
    await expect(otherPage.getByText('Set up', { exact: true })).toBeVisible()
    await otherPage.getByRole('button', { name: 'Reset Second Factor' }).click()
    await otherPage.getByRole('dialog').getByRole('button', { name: 'Reset Second Factor' }).click()
    await expectToast(otherPage, 'The second factor was reset.')
    await expect(otherPage.getByText('Set up', { exact: true })).toHaveCount(0)
    await page.reload()
    await page.getByLabel('Email').fill(person.email)
    await passwordField(page).fill(person.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { name: /^Hi, |^Security/ })).toBeVisible()
  },
)

test(
  'under the policy, people set up an app inside the log-in; a reload does not lose it',
  { tag: '@wide' },
  async ({ page, startOwnServer, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 400/)
    const first = await startOwnServer()
    const person = await (await Api.ofSuperuser(first.url)).createUser()
    await first.stop()
    const server = await startOwnServer(first.dataDir, { SECOND_FACTOR: 'all' })
    await page.goto(`${server.url}/login`)
    await enterPassword(page, superuser)
    await code(page).fill(totpCode(await shownSecret(page), Date.now()))
    await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled()
    expect(await shownCodes(page)).toHaveLength(10)
    await saveCodes(page)
    await expect(greeting(page)).toBeVisible()

    await forgetSession(page)
    await page.goto(`${server.url}/login`)
    await enterPassword(page, person)
    await code(page).fill(totpCode(await shownSecret(page), Date.now()))
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    await expect(greeting(page)).toBeVisible()
    expect(asked).toEqual(['beforeunload'])
  },
)
