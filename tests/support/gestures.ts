import type { Page } from '@playwright/test'

export const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
export const fill = (page: Page, label: string, text: string) => page.getByLabel(label).first().fill(text)
export const leave = (page: Page) => page.keyboard.press('Tab')

/** Answers requests to a path of the API. Without an answer, they stay under way. */
export const answer =
  (path: string, response?: { status?: number; json: object }) =>
  (page: Page): Promise<unknown> =>
    page.route(`**/api/v1/${path}`, (route) => response && route.fulfill(response))

/** Changes all rows of the lists that the server answers. */
export async function changeRows(page: Page, path: string, row: object, list: object = {}): Promise<void> {
  await page.route(`**/api/v1/${path}`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('skip=50', 'skip=0') })
    const given = (await response.json()) as { data: object[] }
    const data = given.data.map((one) => ({ ...one, ...row }))
    await route.fulfill({ response, json: { ...given, data, ...list } })
  })
}

export async function rowMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .and(page.locator(':enabled'))
    .first()
    .click()
  await page.getByRole('menu').waitFor()
}

export async function rowAction(page: Page, action: string): Promise<void> {
  await rowMenu(page)
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

/** Waits until a list has its rows, which a heading and the search precede. */
export const listLoaded = (page: Page) => page.locator('main:has([role=search]):not(:has([aria-busy=true]))').waitFor()

/** Runs an action on a list. Narrow screens have it in a menu. */
export async function listAction(page: Page, action: string): Promise<void> {
  const more = page.getByRole('button', { name: 'More actions', exact: true })
  const ownButton = page.getByRole('button', { name: action, exact: true })
  await more.or(ownButton).first().waitFor()
  if (await ownButton.isVisible()) return ownButton.click()
  await more.click()
  await page.getByRole('menuitem', { name: action }).click()
}

export const dialogButton = (name: string) => async (page: Page) => {
  await button(name)(page)
  await page.getByRole('dialog').waitFor()
}

export async function mistypePasswords(page: Page, label: RegExp): Promise<void> {
  await page.getByRole('textbox', { name: label }).fill('short')
  await page.getByRole('textbox', { name: /^Confirm/ }).fill('other')
  await leave(page)
  await page.getByText('The passwords do not match').waitFor()
}
