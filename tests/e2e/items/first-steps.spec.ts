import { expect, expectRow, expectToast, goTo, logIn, openUserMenu, test } from '../fixtures.ts'

test('log in, add the first item, reload, log out', { tag: '@wide' }, async ({ page, newUser }) => {
  const ada = await newUser({ fullName: 'Ada Lovelace' })
  await page.goto('/items')
  await expect(page).toHaveURL(/\/login$/)

  await logIn(page, ada)
  await expect(page.getByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeFocused()
  await expect(page).toHaveTitle('Dashboard - Steward')

  await goTo(page, 'Items')
  await expect(page.getByRole('heading', { name: 'No items' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Item' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Item' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Garden plan')
  await dialog.getByLabel('Description').fill('Beds and paths')
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const { id } = (await (await created).json()) as { id: string }
  await expectToast(page, 'Item created successfully.')
  await expect(dialog).toBeHidden()

  const row = { ID: id.slice(-4), Title: 'Garden plan', Description: 'Beds and paths' }
  await expectRow(page, row)
  await page.reload()
  await expectRow(page, row)

  await openUserMenu(page, 'Ada Lovelace')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
})
