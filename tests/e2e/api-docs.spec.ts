import { Api } from '../support/api.ts'
import { expect, test } from './fixtures.ts'

test('the API docs', { tag: '@wide' }, async ({ page, server, newUser }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin)
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: /^Steward/ })).toBeVisible()

  await test.step('follow the preferred color scheme', async () => {
    await expect(page.locator('html')).toHaveClass('dark-mode')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('html')).not.toHaveClass('dark-mode')
  })

  await test.step('try out an operation with an API token', async () => {
    const ada = await newUser()
    const session = await Api.logIn(server.url, ada)
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const made = await fetch(`${server.url}/api/v1/users/me/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'API docs', scope: 'read', expires_at }),
    })
    const { token } = (await made.json()) as { token: string }

    await page.getByRole('button', { name: 'Authorize' }).click()
    const dialog = page.locator('.dialog-ux')
    await dialog.getByRole('textbox').fill(token)
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const operation = page.locator('#operations-users-users-read_user_me')
    await operation.getByRole('button').first().click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    await expect(operation.locator('.live-responses-table')).toContainText(ada.email)
  })

  await test.step('load only from this server, and are not wider than the window', async () => {
    expect([...hosts]).toEqual([server.url])
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wider, 'pixels to scroll sideways').toBeLessThanOrEqual(0)
  })
})
