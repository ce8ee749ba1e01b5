import type { Page } from '@playwright/test'
import { expect, expectToast, forgetSession, passwordField, test } from './fixtures.ts'

async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the authenticator answers. Otherwise, the suggestions of fields stay open. */
    setPresence: (enabled: boolean) =>
      client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    credentials: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

const greeting = (page: Page) => page.getByRole('heading', { name: /^Hi, / })

test(
  'a passkey is added in one press, logs in by its button or the email field, is renamed and deleted',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    // The last log-in uses a passkey that the account no longer has.
    expectedConsoleErrors.push(/status of 404/)
    const authenticator = await addAuthenticator(page)
    // Without this function, the browser cannot delete the passkey from the authenticator.
    await page.addInitScript(() => Reflect.deleteProperty(PublicKeyCredential, 'signalAllAcceptedCredentials'))
    await loginAs(await newUser())
    await page.goto('/security')
    await expect(page.getByText('You have no passkeys.')).toBeVisible()
    await page.getByRole('button', { name: 'Add Passkey' }).click()
    await expectToast(page, 'Passkey added.')
    const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
    await expect(row).toContainText(/Chrome on .*Never used/)
    await page.getByRole('button', { name: 'Add Passkey' }).click()
    await expectToast(page, 'This device already has a passkey for your account.')

    await row.getByRole('button', { name: /^Rename/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename Passkey' })
    await dialog.getByLabel('Name').fill('My laptop')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('My laptop')

    await authenticator.setPresence(false)
    await forgetSession(page)
    const suggested = page.waitForResponse('**/login/passkey/options')
    await page.goto('/login')
    await suggested
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn')
    // The pending request does not use the new setting.
    await authenticator.setPresence(true)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(greeting(page)).toBeVisible()

    await forgetSession(page)
    await page.goto('/login')
    // The virtual authenticator accepts a suggestion at once.
    await expect(greeting(page)).toBeVisible()

    await page.goto('/security')
    await expect(row).toContainText(/Last used/)
    await row.getByRole('button', { name: 'Delete My laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Passkey deleted.')
    await expect(page.getByText('You have no passkeys.')).toBeVisible()

    await forgetSession(page)
    await page.goto('/login')
    await expectToast(page, 'Passkey not found')
  },
)

test(
  'an old log-in is confirmed by the passkey or the password, over another dialog',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 423/)
    const person = await newUser()
    const authenticator = await addAuthenticator(page)
    let isOld = false
    await page.route('**/users/me/passkeys/*', async (route) => {
      if (!isOld || route.request().method() !== 'DELETE') return route.fallback()
      isOld = false
      await route.fulfill({ status: 423, json: { detail: 'Please confirm that it is you' } })
    })
    await loginAs(person)
    await page.goto('/security')
    for (const way of ['passkey', 'password']) {
      await page.getByRole('button', { name: 'Add Passkey' }).click()
      const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
      await expect(row).toHaveCount(1)
      isOld = true
      await row.getByRole('button', { name: /^Delete/ }).click()
      await page.getByRole('dialog', { name: 'Delete Passkey' }).getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await expect(dialog).toBeVisible()
      if (way === 'passkey') await dialog.getByRole('button', { name: 'Use a passkey' }).click()
      else {
        await expect(passwordField(page)).toBeFocused()
        await page.keyboard.type(person.password)
        await page.keyboard.press('Enter')
      }
      await expect(page.getByText('You have no passkeys.')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      if (await page.evaluate(() => 'signalAllAcceptedCredentials' in PublicKeyCredential))
        await expect.poll(async () => (await authenticator.credentials()).length).toBe(0)
    }
  },
)
