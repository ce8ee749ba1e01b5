import type { Page } from '@playwright/test'
import { Api } from '../../support/api.ts'
import { beginSession, expect, expectRow, expectToast, goTo, rendered, test } from '../fixtures.ts'

async function openEdit(page: Page, title: string) {
  // Chromium throttles pages in the background.
  await page.bringToFront()
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Item' })
  return {
    dialog,
    title: dialog.getByLabel('Title'),
    description: dialog.getByLabel('Description'),
    save: dialog.getByRole('button', { name: 'Save', exact: true }),
    notice: dialog.getByRole('alert'),
  }
}

test(
  'when two pages edit the same item, the second one resolves the conflict',
  { tag: '@wide' },
  async ({ page, server, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 412/)
    const ada = await newUser()
    await (await Api.logIn(server.url, ada)).createItem('Garden plan', 'Beds')
    await loginAs(ada)
    await goTo(page, 'Items')
    const other = await page.context().newPage()
    await other.goto('/items')

    const here = await openEdit(page, 'Garden plan')
    await expect(here.description).toHaveValue('Beds')
    await here.title.fill('Garden plan 2')
    const there = await openEdit(other, 'Garden plan')
    await there.description.fill('Beds and paths')
    await there.title.fill('Garden plan, theirs')
    await there.save.click()
    await expect(there.dialog).toBeHidden()

    await page.bringToFront()
    await expect(here.notice).toContainText('This item was changed elsewhere')
    await expect(here.notice).toContainText('Garden plan, theirs')
    await expect(here.description).toHaveValue('Beds and paths')
    await expect(here.save).toBeDisabled()
    await here.notice.getByRole('button', { name: 'Save my changes' }).click()
    await expectToast(page, 'Item updated successfully.')
    await expectRow(page, { Title: 'Garden plan 2', Description: 'Beds and paths' })

    // The list of the other page may be out of date, but its form reads the item again.
    const again = await openEdit(other, 'Garden plan')
    await expect(again.title).toHaveValue('Garden plan 2')
    await again.title.fill('Something else')
    const third = await openEdit(page, 'Garden plan 2')
    await third.title.fill('Garden plan 3')
    await third.save.click()
    await expect(third.dialog).toBeHidden()
    await other.bringToFront()
    await again.notice.getByRole('button', { name: 'Use the saved version' }).click()
    await expect(again.title).toHaveValue('Garden plan 3')
    await expect(again.title).toBeFocused()
    await expect(again.notice).toBeHidden()
    await other.keyboard.press('Escape')
    await expectRow(other, { Title: 'Garden plan 3', Description: 'Beds and paths' })
  },
)

test(
  'what is edited does not move when a change elsewhere is announced',
  { tag: '@wide' },
  async ({ page, otherPage, server, newUser }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const ada = await newUser()
    await (await Api.logIn(server.url, ada)).createItem('Garden plan')
    for (const each of [page, otherPage]) {
      await beginSession(each, server, ada)
      await each.goto('/items')
    }
    const here = await openEdit(page, 'Garden plan')
    await here.title.fill('Typed')
    const boxes = () => Promise.all([here.title, here.save].map((each) => each.boundingBox()))
    // With reduced motion, a transition takes 0.01 ms, which is one frame.
    await rendered(page)
    const before = await boxes()

    const there = await openEdit(otherPage, 'Garden plan')
    await there.title.fill('Theirs')
    await there.save.click()
    await page.bringToFront()
    await expect(here.notice).toContainText('Theirs')
    await rendered(page)
    expect(await boxes()).toEqual(before)
    await here.notice.getByRole('button', { name: 'Use the saved version' }).click()
    await expect(here.notice).toBeHidden()
    await rendered(page)
    expect(await boxes()).toEqual(before)
  },
)
