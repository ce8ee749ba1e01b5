import { beginSession, endOnServer, expect, passwordField, test, tokenIn, withoutStream } from '../fixtures.ts'

const notice = 'Your session has ended. Log in again.'

test(
  'a session that ends while the storage is full',
  { tag: '@wide' },
  async ({ page, newUser, server, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 401/)
    const person = await newUser()
    await withoutStream(page)
    await beginSession(page, server, person)
    await page.goto('/items?add')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Plan')
    await dialog.getByLabel('Description').fill('A long text. '.repeat(700))
    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage])
        for (let size = 2 ** 23; size >= 1; size /= 2)
          try {
            storage.setItem(`filler ${size}`, 'x'.repeat(size))
          } catch {
            // The storage is full for texts of this size.
          }
    })
    await endOnServer(page, server.url)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(notice)).toBeVisible()
    expect(await tokenIn(page)).toBeNull()
    await page.getByLabel('Email').fill(person.email)
    await passwordField(page).fill(person.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Plan')
  },
)
