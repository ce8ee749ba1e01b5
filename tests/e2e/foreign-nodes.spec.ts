import type { Page } from '@playwright/test'
import { translate } from '../support/translate.ts'
import { expect, holdCode, passwordField, isHydrated, test } from './fixtures.ts'

// Browser extensions may change a prerendered page before its code loads, so that React cannot hydrate it.

const addIcons = (page: Page) =>
  page.evaluate(() => {
    for (const input of document.querySelectorAll('input')) {
      const icon = document.createElement('div')
      icon.attachShadow({ mode: 'open' }).innerHTML = '<button type="button">Fill</button>'
      input.after(icon)
      input.before(document.createElement('span'))
      input.setAttribute('data-filled', '')
    }
  })

const changes: Record<string, { before?: typeof translate; after?: typeof addIcons }> = {
  'the nodes of a password manager': { after: addIcons },
  'a translation': { before: translate },
}

const forms: Record<string, Record<string, string>> = {
  '/login': { username: 'ada@example.com', password: 'correct horse' },
  '/signup': { full_name: 'Ada', email: 'a@b', password: 'correct horse', confirm_password: 'correct horse' },
  '/recover-password': { email: 'ada@example.com' },
  '/reset-password?token=some': { new_password: 'correct horse', confirm_password: 'correct' },
  '/accept-invitation?token=some': { full_name: 'Ada', new_password: 'correct horse', confirm_password: 'correct' },
}

for (const [what, { before, after }] of Object.entries(changes)) {
  for (const [path, values] of Object.entries(forms)) {
    test(
      `${what} on ${path} before its code has loaded: typed text, focus and selection stay`,
      { tag: '@wide' },
      async ({ page }) => {
        await before?.(page)
        const release = await holdCode(page)
        await page.goto(path, { waitUntil: 'commit' })
        const fields = page.locator('form input:not([type=checkbox])')
        await expect(fields).toHaveCount(Object.keys(values).length)
        const texts = Object.values(values)
        for (const [index, text] of texts.entries()) await fields.nth(index).fill(text)
        await after?.(page)
        const last = fields.last()
        await last.focus()
        const isEmail = (await last.getAttribute('type')) === 'email'
        if (!isEmail) await last.evaluate((input: HTMLInputElement) => input.setSelectionRange(1, 3))
        release()
        await isHydrated(page)
        for (const [index, text] of texts.entries()) await expect(fields.nth(index)).toHaveValue(text)
        await expect(last).toBeFocused()
        if (isEmail) return
        const selection = await last.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd])
        expect(selection).toEqual([1, 3])
      },
    )
  }

  test(
    `${what} on /login: held presses count, and the typed text is sent once`,
    { tag: '@wide' },
    async ({ page, newUser }) => {
      await before?.(page)
      const ada = await newUser({ fullName: 'Ada Lovelace' })
      const release = await holdCode(page)
      const requested: string[] = []
      page.on('request', (request) => requested.push(`${request.method()} ${request.url()}`))
      await page.goto('/login', { waitUntil: 'commit' })
      await page.getByLabel('Email').fill(ada.email)
      await after?.(page)
      await passwordField(page).fill(ada.password)
      await page.getByRole('button', { name: 'Show password' }).click()
      await passwordField(page).press('Enter')
      release()
      await expect(page.getByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeVisible()
      expect(requested.filter((request) => request.endsWith('/login/access-token'))).toHaveLength(1)
      expect(requested.filter((request) => request.includes('password='))).toEqual([])
    },
  )
}

test(
  'the nodes of a password manager on /signup: the text is validated, and the password shown',
  { tag: '@wide' },
  async ({ page }) => {
    const release = await holdCode(page)
    await page.goto('/signup', { waitUntil: 'commit' })
    await page.getByLabel('Email').fill('a@b')
    await addIcons(page)
    await page.getByRole('button', { name: 'Show password' }).last().click()
    release()
    await isHydrated(page)
    await expect(page.locator('[name=confirm_password]')).toHaveAttribute('type', 'text')
    await expect(page.locator('[name=password]')).toHaveAttribute('type', 'password')
    await page.getByLabel('Email').focus()
    await page.keyboard.press('Tab')
    await expect(page.getByText('Invalid email address')).toBeVisible()
  },
)
