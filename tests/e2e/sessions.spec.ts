import type { Page } from '@playwright/test'
import { Api, type Person } from '../support/api.ts'
import { ask } from '../support/http.ts'
import {
  beginSession,
  endOnServer,
  expect,
  expectToast,
  logIn,
  openUserMenu,
  passwordField,
  test,
  tokenIn,
  withoutStream,
} from './fixtures.ts'

const notice = 'Your session has ended. Log in again.'

const root = { isSuperuser: true }

async function expectNoOffer(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await passwordField(page).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: /^Hi, / })).toBeVisible()
  await expect(page.getByText(/^Continue to/)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
}

test.describe('a session that ends', () => {
  for (const kind of ['invite', 'edit', 'delete'])
    test(`while ?${kind} is open`, { tag: '@wide' }, async ({ page, newUser, server, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 401/)
      await withoutStream(page)
      const [person, next] = [await newUser(root), await newUser(root)]
      const { id } = await (await Api.logIn(server.url, next)).get<{ id: string }>('/users/me')
      await beginSession(page, server, person)
      await page.goto(`/users?q=ada&${kind}${kind === 'invite' ? '' : `=${id}`}`)
      const dialog = page.getByRole('dialog')
      if (kind === 'delete') await dialog.waitFor()
      else await dialog.getByLabel('Email').fill('changed@example.com')
      await endOnServer(page, server.url)
      await dialog.getByRole('button', { name: /^(Send Invitation|Save|Delete)$/ }).click()
      await expect(page.getByText(notice)).toBeVisible()
      await expect(page).toHaveURL('/login')
      await expectNoOffer(page, next)
    })

  test(
    'by a log-out in another tab while a dialog is open',
    { tag: '@wide' },
    async ({ page, context, newUser, server }) => {
      const [person, next] = [await newUser({ fullName: 'Ada King', ...root }), await newUser(root)]
      await beginSession(page, server, person)
      await page.goto('/users?q=ada&add')
      await page.getByRole('dialog').getByLabel('Full Name').fill('Changed')
      const other = await context.newPage()
      await other.goto('/')
      await openUserMenu(other, 'Ada King')
      await other.getByRole('menuitem', { name: 'Log out' }).click()
      await expect(page).toHaveURL('/login')
      await expect(page.getByText(notice)).toHaveCount(0)
      await expectNoOffer(page, next)
    },
  )

  test(
    'because the browser has cleared its storage',
    { tag: '@wide' },
    async ({ page, newUser, server, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 401/)
      await beginSession(page, server, await newUser())
      await page.goto('/settings')
      await page.getByLabel('Full Name').fill('Countess')
      // One step, because another request without a token would end the session first.
      await page.getByRole('button', { name: 'Save' }).evaluate((button: HTMLElement) => {
        localStorage.clear()
        button.click()
      })
      await expect(page.getByText(notice)).toBeVisible()
      await expect(page).toHaveURL('/login')
    },
  )
})

test(
  'a log-out without a network ends the session at the next load',
  { tag: '@wide' },
  async ({ page, context, newUser, server, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/ERR_INTERNET_DISCONNECTED/)
    await logIn(page, await newUser({ fullName: 'Ada Lovelace' }))
    const token = (await tokenIn(page)) ?? ''
    const status = async () => (await ask('GET', `${server.url}/api/v1/users/me`, { token })).status
    await openUserMenu(page, 'Ada Lovelace')
    await context.setOffline(true)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expectToast(page, 'You are logged out here, but the server did not confirm it.')
    await expect(page).toHaveURL('/login')
    expect(await tokenIn(page)).toBeNull()
    expect(await status()).toBe(200)
    await context.setOffline(false)
    await page.reload()
    await expect.poll(status).toBe(401)
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
  },
)
