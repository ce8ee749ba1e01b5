import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { freePort } from '../../scripts/ports.ts'
import { startCompanyProvider } from '../support/company-provider.ts'
import { newDataDir, superuser } from '../support/running-server.ts'
import {
  beginSession,
  expect,
  expectToast,
  forgetSession,
  holdCode,
  isHydrated,
  openUserMenu,
  rendered,
  test,
} from './fixtures.ts'

const people = {
  ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
  grace: { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' },
}

const companyLink = (page: Page) => page.getByRole('link', { name: 'Log in with Company' })
const accounts = (page: Page) => page.getByRole('list', { name: 'Connected accounts' }).getByRole('listitem')
const place = (page: Page, selector: string) =>
  page.locator(selector).evaluate((node) => node.getBoundingClientRect().toJSON() as object)

test(
  'a company account logs in, confirms what was typed, logs out and is connected',
  { tag: '@wide' },
  async ({ page, startOwnServer, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 423/)
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    const provider = await startCompanyProvider({ publicUrl, people })
    const settings = { ...provider.settings, PORT: `${port}`, PUBLIC_URL: publicUrl }
    const server = await startOwnServer(newDataDir(), settings)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })

    // The first paint contains the link, and the loaded code does not move it.
    const release = await holdCode(page)
    await page.goto(`${publicUrl}/login`, { waitUntil: 'commit' })
    await expect(companyLink(page)).toBeVisible()
    await rendered(page)
    const selectors = ['#root h1', '#root main a[href*=oidc]', '#root [type=submit]']
    const places = async () => Promise.all(selectors.map((selector) => place(page, selector)))
    const before = await places()
    const link = await companyLink(page).elementHandle()
    release()
    await isHydrated(page)
    expect(await places()).toEqual(before)
    expect(await link.evaluate((element) => element.isConnected)).toBe(true)

    await page.goto(`${publicUrl}/settings`)
    await companyLink(page).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByRole('alert')).toContainText('The log-in at Company was cancelled or refused.')
    await page.goto(`${publicUrl}/settings`)
    await companyLink(page).click()
    await page.getByRole('link', { name: people.ada.email }).click()
    await expect(page).toHaveURL(`${publicUrl}/settings`)
    const name = page.getByLabel('Full Name')
    await expect(name).toHaveValue('Ada Lovelace')

    await page.route('**/users/me', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await page.unroute('**/users/me')
      await route.fulfill({ status: 423, json: { detail: 'Please confirm that it is you' } })
    })
    await name.fill('Ada King')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Log in with Company again' }).click()
    await page.getByRole('link', { name: people.ada.email }).click()
    await expect(page).toHaveURL(`${publicUrl}/settings`)
    await expect(name).toHaveValue('Ada King')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'User updated successfully.')
    expect(asked).toEqual([])

    await openUserMenu(page, 'Ada King')
    const loggedOut = page.waitForResponse('**/api/v1/logout')
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    // The next page would repeat a log-out without a response, and get 401.
    await loggedOut
    await expect(page.getByText('You are still logged in at Company.')).toBeVisible()
    const logOut = await page.getByRole('link', { name: 'Log out there' }).getAttribute('href')
    expect(logOut).toContain(provider.issuer)

    await beginSession(page, server, superuser)
    await page.goto(`${publicUrl}/security`)
    await page.getByRole('button', { name: 'Connect Company' }).click()
    await expectToast(page, 'This account at Company is connected to another account here.')
    await expect(page).toHaveURL(`${publicUrl}/security`)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Connect Company' }).click()
    await page.getByRole('link', { name: people.grace.email }).click()
    await expect(accounts(page)).toContainText(people.grace.email)

    await forgetSession(page)
    await page.goto(`${publicUrl}/login`)
    const command = ['server/cli/main.ts', 'admin', 'log-in-link', people.ada.email]
    const env = { ...process.env, ...settings, DATA_DIR: server.dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, command, { env })
    const [operatorLink = ''] = /http\S+#link=\S+/.exec(stdout) ?? []
    await page.goto(operatorLink)
    await expect(page.getByText(/^This link logs you in as/)).toContainText(people.ada.email)
    await page.getByRole('button', { name: 'Log In', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hi, Ada King' })).toBeVisible()
    await expect(page).toHaveURL(`${publicUrl}/`)
    await page.close()
    await provider.close()
  },
)
