import { listAction, rowAction } from '../../support/gestures.ts'
import { openTranslated, translate } from '../../support/translate.ts'
import { expect, expectRow, expectToast, goTo, test } from '../fixtures.ts'

test.beforeEach(({ page }) => translate(page))

test(
  'add, edit, find and delete an item',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 409/)
    await loginAs(await newUser())
    await goTo(page, 'Items')
    for (const title of ['First', 'Second']) {
      await page.getByRole('button', { name: 'Add Item' }).click()
      await page.getByLabel('Title').fill(title)
      await page.getByRole('button', { name: 'Save' }).click()
      await expectRow(page, { Title: title })
    }
    const status = page.getByRole('status')
    await expect(status).toHaveText('1–2 of 2 items')

    await rowAction(page, 'Edit')
    await page.getByLabel('Title').fill('')
    await page.keyboard.press('Tab')
    await expect(page.getByText('Title is required')).toBeVisible()
    await page.getByLabel('Title').fill('Changed')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Item updated successfully.')
    await expectRow(page, { Title: 'Changed' })

    const fail = '**/api/v1/items/*-*'
    await page.route(fail, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 409, json: { detail: 'Not now' } })
        : route.fallback(),
    )
    await rowAction(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'An error occurred while deleting the item')
    await page.unroute(fail)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'The item was deleted successfully')
    await expect(status).toHaveText('1 item')

    const search = page.getByRole('searchbox')
    await search.fill('nothing like this')
    await expect(page.getByRole('heading', { name: 'No items found' })).toBeVisible()
    await search.fill('First')
    await expectRow(page, { Title: 'First' })
    await expect(status).toHaveText('1 item')
  },
)

test('pages, sorting and selection of a list', async ({ page, scene }) => {
  await openTranslated(page, scene.user, '/items')
  const status = page.getByRole('status')
  await expect(status).toHaveText('1–50 of 105 items')
  const pages = page.getByRole('navigation', { name: 'Pagination', exact: true })
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(status).toHaveText('51–100 of 105 items')
  if ((page.viewportSize()?.width ?? 0) < 480)
    await expect(pages.getByRole('textbox', { name: 'Page, of 3' })).toHaveValue('2')
  await pages.getByRole('link', { name: 'Previous page' }).click()
  await expect(status).toHaveText('1–50 of 105 items')

  if (await page.getByRole('checkbox', { name: 'Select all on this page' }).isVisible())
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  else {
    await listAction(page, 'Select')
    await page.getByRole('checkbox', { name: 'All on this page' }).check()
  }
  const bar = page.getByRole('region', { name: 'Selected items' })
  await expect(bar).toContainText('50 selected.')
  await bar.getByRole('button', { name: 'Select all 105 that match' }).click()
  await expect(bar).toContainText('All 105 selected.')
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('1')
  await dialog.getByRole('button', { name: /^Delete/ }).click()
  await expect(dialog.getByText('The number must be 105.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await bar.getByRole('button', { name: 'Clear' }).click()
  await expect(bar).toBeHidden()
})
