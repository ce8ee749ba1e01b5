import { expect, test } from './fixtures.ts'
import type { Page } from '@playwright/test'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

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
  ['up', 0, -1],
] as const) {
  test(`SPEC 9: a swipe ${name} over the threshold dismisses a toast`, { tag: '@phone' }, async ({ page }) => {
    // Without its animation, a visible toast has reached its place.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const toast = await showToast(page)
    await expect(toast).toHaveAttribute('data-mounted', 'true')
    // The toast could also close by its timer.
    const closedBy = toast.evaluate(
      (element) =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (element.dataset['swipeOut'] === 'true') resolve('a swipe')
            else if (element.dataset['removed'] === 'true') resolve('the time')
          })
          observer.observe(element, { attributes: true })
        }),
    )
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
    expect(await closedBy).toBe('a swipe')
    await expect(toast).toHaveCount(0)
  })
}

test(
  'a failed save’s toast covers neither Save nor Cancel, and not Close on a phone',
  { tag: '@phone' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 409/)
    await page.addInitScript((token) => localStorage.setItem('access_token', token), scene.superuser ?? '')
    await page.route('**/api/v1/users/', (route) => route.fulfill({ status: 409, json: { detail: 'Taken' } }))
    await page.goto('/users?add')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('somebody@example.com')
    await dialog.getByRole('textbox', { name: /^Password/ }).fill('correct horse')
    await dialog.getByRole('textbox', { name: /^Confirm/ }).fill('correct horse')
    await page.keyboard.press('Enter')
    const toast = page.locator('[data-sonner-toast]')
    await expect(toast).toHaveText('Taken')
    await toast.hover()
    for (const [width, height, ...others] of [
      [390, 844, 'Close'],
      [320, 640, 'Close'],
      [844, 390, 'Close'],
      [1000, 700],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const name of ['Save', 'Cancel', ...others]) {
        const isCovered = async () => {
          const [over, under] = [await toast.boundingBox(), await dialog.getByRole('button', { name }).boundingBox()]
          if (!over || !under) throw new Error(`No toast or no ${name} at ${width}x${height}`)
          const apart = over.x + over.width <= under.x || under.x + under.width <= over.x
          return !apart && over.y < under.y + under.height && under.y < over.y + over.height
        }
        await expect.poll(isCovered, `${name} at ${width}x${height}`).toBe(false)
      }
    }
  },
)

test('the close button of a toast is inside it, 28 px large', async ({ page }) => {
  const toast = await showToast(page)
  const close = toast.getByRole('button', { name: 'Close toast' })
  await expect(close).toHaveCSS('width', '28px')
  await expect(close).toHaveCSS('height', '28px')
  const [inner, outer] = [await close.boundingBox(), await toast.boundingBox()]
  if (!inner || !outer) throw new Error('no toast')
  expect(inner.x).toBeGreaterThan(outer.x)
  expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width)
})
