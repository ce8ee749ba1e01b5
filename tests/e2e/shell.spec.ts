import { boxOf, end } from '../support/boxes.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, rendered, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the sidebar stays collapsed after a reload', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, stateOf('users'), scene.superuser)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toHaveCSS('width', '256px')
  await page.keyboard.press('Control+b')
  await expect(sidebar).toHaveCSS('width', '48px')
  await page.reload()
  await expect(sidebar).toHaveCSS('width', '48px')
  await sidebar.getByRole('link', { name: 'Users' }).hover()
  await expect(page.getByRole('tooltip', { name: 'Users' })).toBeVisible()
})

test('the header stands over the edges of the page at every width', { tag: '@wide' }, async ({ page, scene }) => {
  for (const [name, viewer] of [
    ['users', 'superuser'],
    ['settings-general', 'user'],
  ] as const) {
    await enterState(page, stateOf(name), scene[viewer])
    for (const width of [320, 390, 768, 1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      await rendered(page)
      const { left, right } = await page.locator('main').evaluate((main) => {
        const { paddingLeft, paddingRight } = getComputedStyle(main)
        const { left: start, right: end } = main.getBoundingClientRect()
        return { left: start + Number.parseFloat(paddingLeft), right: end - Number.parseFloat(paddingRight) }
      })
      const icon = await page.getByRole('button', { name: 'Toggle sidebar' }).locator('svg').boundingBox()
      expect(Math.abs((icon?.x ?? 0) - left), `${name} at ${width}`).toBeLessThanOrEqual(2)
      const search = page.getByRole('button', { name: 'Search and go to' })
      const { x = 0, width: searchWidth = 0 } =
        (await (width < 1024 ? search.locator('svg') : search).boundingBox()) ?? {}
      expect(Math.abs(x + searchWidth - right)).toBeLessThanOrEqual(width < 1024 ? 8 : 0)
      if (width >= 1024) expect(searchWidth).toBe(220)
    }
  }
})

test('logo and header are one bar, with one edge of 16 px', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await enterState(page, stateOf('users'), scene.superuser)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  const logo = sidebar.getByRole('link', { name: 'Steward' })
  const bars = [logo, page.getByRole('banner').first()]
  expect(await Promise.all(bars.map(async (bar) => (await boxOf(bar)).height))).toEqual([48, 48])
  const inSidebar = [logo.locator('svg'), sidebar.getByRole('link', { name: 'Users' }).locator('svg')]
  for (const mark of inSidebar) expect((await boxOf(mark)).x).toBe(16)
  const inPage = [page.getByRole('heading', { name: 'Users' }), page.getByRole('searchbox')]
  const { width } = await boxOf(sidebar)
  for (const part of inPage) expect((await boxOf(part)).x - width).toBe(16)
})

test('a tooltip of an icon is inside the window', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 768, height: 900 })
  await enterState(page, stateOf('users'), scene.superuser)
  for (const [button, label] of [
    ['Toggle sidebar', /^Toggle sidebar \(.+\+B\)$/],
    ['Search and go to', /^Search and go to \(.+\+K\)$/],
  ] as const) {
    await page.getByRole('button', { name: button }).hover()
    const tooltip = page.getByRole('tooltip', { name: label })
    await expect(tooltip).toBeVisible()
    await expect(tooltip).toBeInViewport({ ratio: 1 })
  }
})

test('the sidebar shows where a name from right to left begins', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/api/v1/users/me', async (route) => {
    const response = await route.fetch()
    const user = (await response.json()) as object
    await route.fulfill({ response, json: { ...user, full_name: 'ليلى بنت عبد الرحمن بن محمد الحسيني البغدادي' } })
  })
  await enterState(page, stateOf('users'), scene.superuser)
  const name = page.getByRole('complementary', { name: 'Sidebar' }).getByText(/^ليلى/)
  const isBeginningShown = await name.evaluate((element) => {
    const first = new Range()
    first.setStart(element.firstChild as Text, 0)
    first.setEnd(element.firstChild as Text, 1)
    const frame = element.closest('button')?.querySelector('svg')?.getBoundingClientRect()
    return first.getBoundingClientRect().right <= (frame?.left ?? 0)
  })
  expect(isBeginningShown).toBe(true)
})

test('a wide window has a wide list, and narrow forms', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await enterState(page, stateOf('users'), scene.superuser)
  const { width = 0 } = (await page.getByRole('table').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(1400)
  expect(width).toBeLessThanOrEqual(1440)
  await page.goto('/settings')
  const form = await page.getByRole('textbox', { name: /^Email/ }).boundingBox()
  expect(form?.width).toBeLessThanOrEqual(512)
  await page.goto('/security')
  const frame = page.getByRole('list', { name: 'Sessions' }).locator('..')
  expect(end(await boxOf(frame))).toBe(end(await boxOf(page.getByRole('button', { name: 'Search and go to' }))))
})

test(
  'the error of the shell keeps away from the edges',
  { tag: '@phone' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 409|ApiError: Conflict/)
    await enterState(page, stateOf('route-error'), scene.user)
    expect(await boxOf(page.getByRole('alert'))).toMatchObject({ x: 16, y: 16 })
  },
)
