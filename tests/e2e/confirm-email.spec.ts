import type { Page } from '@playwright/test'
import { findLink } from '../support/outbox.ts'
import { newDataDir, type RunningServer, superuser } from '../support/running-server.ts'
import { beginSession, expect, expectToast, holdCode, passwordField, test } from './fixtures.ts'

async function confirm(page: Page, { url, dataDir }: RunningServer, address: string, isLoggedIn = true): Promise<void> {
  let link: string | undefined
  await expect.poll(async () => (link = await findLink(dataDir, address, 'confirm-email'))).toBeDefined()
  // The press before the code has loaded must not lose the way back.
  const release = isLoggedIn ? () => {} : await holdCode(page)
  await page.goto(`${url}${link}`, { waitUntil: 'commit' })
  if (!isLoggedIn) {
    await page.getByRole('link', { name: 'Log In' }).click()
    release()
    await page.getByLabel('Email').fill(superuser.email)
    await passwordField(page).fill(superuser.password)
    await page.getByRole('button', { name: 'Login' }).click()
  }
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'The address is confirmed.')
}

test(
  'addresses are confirmed in another browser, and the first one shows it at once',
  { tag: '@wide' },
  async ({ page, otherPage, startOwnServer }) => {
    const server = await startOwnServer(newDataDir(), { CONFIRM_EMAIL: 'on' })
    await beginSession(page, server, superuser)
    const stream = page.waitForResponse('**/api/v1/events')
    await page.goto(`${server.url}/settings`)
    await stream
    const line = page.getByRole('region', { name: 'Unconfirmed address' })
    await expect(line).toContainText(`Confirm your address: ${superuser.email}.`)
    await line.getByRole('button', { name: 'Send Link' }).click()
    await expect(line).toContainText(`We sent a link to ${superuser.email}.`)
    await confirm(otherPage, server, superuser.email, false)
    await expect(line).toHaveCount(0)

    await page.getByLabel('Email').fill('new@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('region', { name: 'Pending address' })).toContainText('new@example.com')
    await expect(page.getByLabel('Email')).toHaveValue(superuser.email)
    await confirm(otherPage, server, 'new@example.com')
    await expect(page.getByLabel('Email')).toHaveValue('new@example.com')
  },
)
