import { Api } from '../../support/api.ts'
import { beginSession, expect, test } from '../fixtures.ts'

test(
  'a search and a range of days leave the toolbar in one line',
  { tag: '@wide' },
  async ({ page, server, newUser }) => {
    const ada = await newUser()
    await (await Api.logIn(server.url, ada)).createItem('Garden')
    await beginSession(page, server, ada)
    await page.goto('/items?q=garden&created_from=2026-01-01&created_to=2226-01-01')
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    expect(await page.getByRole('search').boundingBox()).toMatchObject({ height: 36 })
  },
)

test('a long title has one line in its row, two on a phone, and its whole text in a tooltip', async ({
  page,
  server,
  newUser,
  isMobile,
}) => {
  const ada = await newUser()
  const title = `Garden ${'x'.repeat(248)}`
  await (await Api.logIn(server.url, ada)).createItem(title)
  await beginSession(page, server, ada)
  await page.goto('/items')
  const name = page.getByRole('link', { name: title, exact: true })
  await expect(name.getByTitle(title)).toBeVisible()
  const lineHeight = await name.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight))
  const text = await name.locator('bdi').boundingBox()
  expect(Math.round((text?.height ?? 0) / lineHeight)).toBe(isMobile ? 2 : 1)
})
