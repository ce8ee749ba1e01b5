import { Api } from '../../support/api.ts'
import { bar, box, rows } from '../../support/selected-rows.ts'
import { beginSession, expect, expectRow, expectToast, test } from '../fixtures.ts'

test(
  'old items: ranges, several pages, and all that match are deleted at once',
  { tag: '@wide' },
  async ({ page, server, newUser }) => {
    const ada = await newUser()
    const api = await Api.logIn(server.url, ada)
    for (let index = 1; index <= 60; index += 1) await api.createItem(`Old ${index}`)
    await api.createItem('New')
    await beginSession(page, server, ada)
    await page.goto('/items')

    await page.getByRole('searchbox').press('ArrowDown')
    const name = page.getByRole('link', { name: 'New', exact: true })
    await expect(name).toBeFocused()
    const row = rows(page).first()
    const plain = await row.evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.keyboard.press('Space')
    await expect(box(page, 'Select New')).toBeChecked()
    await expect(row).not.toHaveCSS('background-color', plain)
    await page.keyboard.press('x')
    await expect(bar(page)).toBeHidden()

    await box(page, 'Select Old 60').click()
    await box(page, 'Select Old 57').click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText('4 selected.')
    await page.getByRole('link', { name: 'Next page' }).click()
    await box(page, 'Select Old 3').click()
    await expect(bar(page)).toContainText('5 selected.')
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete 5 items' }).click()
    await expectToast(page, '5 items were deleted.')

    await page.goto('/items?q=old')
    await box(page, 'Select all on this page').click()
    await bar(page).getByRole('button', { name: 'Select all 55 that match' }).click()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete 55 items' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('The number must be 55.')
    await dialog.getByLabel('Type 55 to confirm').fill('55')
    await page.keyboard.press('Enter')
    await expectToast(page, '55 items were deleted.')
    await page.goto('/items')
    await expect(rows(page)).toHaveCount(1)
    await expectRow(page, { Title: 'New' })
  },
)
