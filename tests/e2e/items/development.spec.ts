import { mockAccounts, mockPassword } from '../../support/mock-accounts.ts'
import { startDev } from '../../support/start-dev.ts'
import { expect, expectRow, goTo, passwordField, test } from '../fixtures.ts'

test(
  'npm run dev -- --mock: log in, add an item, and have requests fail',
  { tag: '@wide' },
  async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 500/)
    const { superuser, user } = mockAccounts
    const { url, stop } = await startMock()
    try {
      await page.goto(`${url}/items`)
      await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
      await passwordField(page).fill(mockPassword)
      await page.getByRole('button', { name: 'Login' }).click()
      await goTo(page, 'Items')
      await page.getByRole('button', { name: 'Add Item' }).click()
      await page.getByLabel('Title').fill('Only here')
      await page.getByRole('button', { name: 'Save' }).click()
      await expectRow(page, { Title: 'Only here' })
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' })).toBeHidden()

      await page.goto(`${url}/examples`)
      await page.getByLabel('State', { exact: true }).selectOption('Paid')
      await expectRow(page, { Customer: 'Alan Turing' })
      const fields = page.getByRole('form', { name: 'Fields' })
      await fields.getByRole('combobox', { name: 'Parent' }).click()
      await page.getByRole('listbox').getByRole('option').first().click()
      await fields
        .getByLabel('Scan')
        .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await expect(fields.getByRole('button', { name: 'notes.txt' })).toBeVisible()
      await fields.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('table', { name: 'Rows' }).getByRole('link')).toBeVisible()
      await page.goBack()

      const tools = page.getByRole('complementary', { name: 'Developer tools' })
      await expect(tools.getByRole('button', { name: /router/i })).toBeVisible()
      const { y: top = 0 } = (await tools.boundingBox()) ?? {}
      const { y = 0, height = 0 } = (await page.locator('#root').boundingBox()) ?? {}
      expect(top).toBeGreaterThanOrEqual(y + height)

      await page.goto(`${url}/login?mock=500`)
      // The development server sends each module separately, which takes long.
      await expect(page.getByRole('heading', { name: /^Hi, / })).toBeVisible({ timeout: 30_000 })
      const responses = await page.evaluate(
        async (form) => {
          const api = `${location.origin}/api/v1`
          const logIn = await fetch(`${api}/login/access-token`, { method: 'POST', body: new URLSearchParams(form) })
          return [logIn.status, (await fetch(`${api}/users/`)).status]
        },
        { username: superuser.email, password: mockPassword },
      )
      expect(responses).toEqual([200, 500])
      // Requests of the open page would fail when the server stops.
      await page.goto('about:blank')
    } finally {
      await stop()
    }
  },
)

async function startMock(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dev = startDev(['--mock'])
  const address = () => /http:\/\/localhost:\d+/.exec(dev.output())?.[0]
  await expect.poll(address).toBeDefined()
  return { url: address() ?? '', stop: dev.stop }
}
