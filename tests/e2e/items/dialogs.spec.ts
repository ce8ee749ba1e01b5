import { Api } from '../../support/api.ts'
import { expect, goTo, test } from '../fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test(
  'the buttons of a delete dialog are visible in low windows',
  { tag: '@wide' },
  async ({ page, server, newUser, loginAs }) => {
    const ada = await newUser()
    await (await Api.logIn(server.url, ada)).createItem('\u202E' + 'W'.repeat(254))
    await loginAs(ada)
    await goTo(page, 'Items')
    await page.setViewportSize({ width: 640, height: 320 })
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Item' })
    const cancel = dialog.getByRole('button', { name: 'Cancel', exact: true })
    const remove = dialog.getByRole('button', { name: 'Delete', exact: true })
    const heading = dialog.getByRole('heading')
    for (const size of [
      { width: 640, height: 320 },
      { width: 844, height: 390 },
    ]) {
      await page.setViewportSize(size)
      for (const part of [cancel, remove, heading]) await expect(part).toBeInViewport({ ratio: 1 })
    }
    const lines = await dialog
      .locator('strong')
      .evaluate((name) => name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight))
    expect(Math.round(lines)).toBe(3)
    // Above the keyboard of a rotated phone, the whole dialog scrolls.
    await page.setViewportSize({ width: 844, height: 150 })
    await expect(heading).toBeInViewport({ ratio: 1 })
    await remove.scrollIntoViewIfNeeded()
    await expect(remove).toBeInViewport({ ratio: 1 })
    await expect(heading).not.toBeInViewport()
  },
)
