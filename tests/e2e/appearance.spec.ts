import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the theme is set before the first paint', { tag: '@wide' }, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.route('**/assets/*.js', () => undefined)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveClass('dark')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', /^oklch\(0\.\d/)
})

test('forced colours and print', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await enterState(page, stateOf('dashboard-of-a-superuser'), scene.superuser)

  await test.step('the bars of a chart are visible, and the chosen one differs', async () => {
    const chart = page.getByRole('region', { name: 'New users by day' }).getByRole('link')
    const colorOf = (selector: string) =>
      chart.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
    // All users of the scene were created today.
    const bar = 'css=> span:last-child > span'
    const canvas = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    const plain = await colorOf(bar)
    expect(plain).not.toBe(canvas)
    await chart.focus()
    expect([plain, canvas]).not.toContain(await colorOf(bar))
  })

  await test.step('the current tab and borders are visible', async () => {
    await page.goto('/settings')
    const edge = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => Number.parseFloat(getComputedStyle(tab).borderBottomWidth))
    expect(await edge('General')).toBe(3)
    expect(await edge('Password')).toBe(0)
    await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toHaveCSS('border-style', 'solid')
  })

  await page.goto('/users')

  await test.step('the current page is visible', async () => {
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCSS('outline-style', 'solid')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Users')).toHaveCSS(
      'outline-style',
      'none',
    )
  })

  await test.step('printing leaves the page alone', async () => {
    await page.emulateMedia({ media: 'print', forcedColors: 'none' })
    await expect(page.getByRole('table')).toBeVisible()
    for (const role of ['navigation', 'banner', 'search', 'button'] as const) {
      // Tables contain the buttons of rows and the headings that sort.
      const outside = page.getByRole(role).and(page.locator(':not(table *)'))
      await expect(outside.filter({ visible: true })).toHaveCount(0)
    }
  })
})

test('a dialog with reduced motion', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enterState(page, { ...stateOf('add-user'), url: '/users?q=person' }, scene.superuser)
  const colorAt = (x: number) => page.screenshot({ clip: { x, y: 600, width: 2, height: 2 } })

  await test.step('nothing is animated', async () => {
    const durations = await page.evaluate(() =>
      Array.from(document.querySelectorAll('*'), (element) => getComputedStyle(element))
        .flatMap((style) => [style.animationDuration, style.transitionDuration].join().split(','))
        .map((duration) => Number.parseFloat(duration)),
    )
    expect(Math.max(...durations)).toBeLessThan(0.001)
  })

  await test.step('the space of the scroll bar is dimmed, too', async () => {
    await expect.poll(async () => (await colorAt(1275)).equals(await colorAt(1250))).toBe(true)
  })
})
