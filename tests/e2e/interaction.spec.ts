import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, rendered, test, withoutStream } from './fixtures.ts'

interface TraceEvent {
  name: string
  args: { elementCount?: number }
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function openList(page: Page, token: string): Promise<void> {
  // A hint would make the page read the list again, which has other rows each time.
  await withoutStream(page)
  await page.route('**/api/v1/users/?*', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object[] }
    const rows = Array.from({ length: 50 }, (_, index) => {
      return { ...data[0], id: randomUUID(), email: `order${index}@example.com` }
    })
    await route.fulfill({ response, json: { data: rows, count: rows.length } })
  })
  await page.addInitScript((value) => localStorage.setItem('access_token', value), token)
  await page.goto('/users')
  await expect(page.getByRole('row')).toHaveCount(51)
}

const heading = 'Add User'

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: heading }).click()
  await expect(page.getByRole('dialog', { name: heading }).getByLabel('Email')).toBeFocused()
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

test(
  'opening a dialog does not recalculate the styles of the rows behind it',
  { tag: '@wide' },
  async ({ page, browser, root }) => {
    await openList(page, root.token)
    await openDialog(page)
    await closeDialog(page)
    await browser.startTracing(page, { categories: ['devtools.timeline'] })
    await openDialog(page)
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    const styled = traceEvents
      .filter(({ name }) => name === 'UpdateLayoutTree')
      .map(({ args }) => args.elementCount ?? 0)
    expect(Math.max(...styled)).toBeGreaterThan(0)
    // A dialog has about 30 elements, the whole page hundreds.
    expect(Math.max(...styled), `elements styled at a time: ${styled.join(', ')}`).toBeLessThan(100)
  },
)

async function scrollDown(page: Page, x: number, hasTouch: boolean): Promise<void> {
  const received = await page.evaluateHandle(
    (type) => ({
      event: new Promise((resolve) => window.addEventListener(type, resolve, { once: true, capture: true })),
    }),
    hasTouch ? 'touchend' : 'wheel',
  )
  if (hasTouch) {
    const cdp = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x, y })) })
    await touch('touchStart', 600)
    for (let y = 570; y >= 300; y -= 30) await touch('touchMove', y)
    await touch('touchEnd')
  } else {
    await page.mouse.move(x, 400)
    await page.mouse.wheel(0, 300)
  }
  await received.evaluate(({ event }) => event)
  await rendered(page)
}

const scrollTop = (page: Page) => page.evaluate(() => window.scrollY)

test('the page does not scroll while a dialog is open', async ({ page, root, hasTouch }) => {
  await openList(page, root.token)
  await openDialog(page)
  // At both screen sizes, these points are on the overlay and on the dialog.
  for (const x of [3, 200, 640]) {
    await scrollDown(page, x, hasTouch)
    expect(await scrollTop(page)).toBe(0)
  }
  await closeDialog(page)
  await scrollDown(page, 200, hasTouch)
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(0)
})

test('all scripts but the entry have the hint to be compiled on load', { tag: '@wide' }, () => {
  const scripts = readdirSync('dist/assets').filter((name) => name.endsWith('.js'))
  // V8 reads the hint only from the first line.
  const without = scripts.filter((name) => !readFileSync(`dist/assets/${name}`, 'utf8').startsWith('//# allFunctions'))
  expect(scripts.length).toBeGreaterThan(3)
  expect(without).toEqual([expect.stringMatching(/^entry-/)])
})
