import { expect, test } from './fixtures.ts'
import type { Page } from '@playwright/test'

async function showToast(page: Page) {
  await page.goto('/recover-password')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.keyboard.press('Enter')
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast).toBeVisible()
  return toast
}

for (const [name, dx, dy] of [
  ['to the right', 1, 0],
  ['to the left', -1, 0],
  ['down', 0, 1],
] as const) {
  test(`SPEC 9: a swipe ${name} over the threshold dismisses a toast`, { tag: '@phone' }, async ({ page }) => {
    const toast = await showToast(page)
    await page.waitForTimeout(500)
    const { x, y, width, height } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const cdp = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          distance === undefined ? [] : [{ x: x + width / 2 + dx * distance, y: y + height / 2 + dy * distance }],
      })
    await touch('touchStart', 0)
    for (let distance = 8; distance <= 80; distance += 8) await touch('touchMove', distance)
    await touch('touchEnd')
    // Well before the toast closes by itself.
    await expect(toast).toHaveCount(0, { timeout: 1000 })
  })
}

test('the close button of a toast is at least 24 px', async ({ page }) => {
  const toast = await showToast(page)
  const { width = 0, height = 0 } = (await toast.getByRole('button', { name: 'Close toast' }).boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
})

test('breadcrumb links are at least 24 px', async ({ page, newUser, loginAs }) => {
  await loginAs(await newUser())
  await page.goto('/items')
  const link = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')
  const { width = 0, height = 0 } = (await link.boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
})
