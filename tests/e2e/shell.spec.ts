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

test(
  'the shell from 320 px to 2560 px, with a wide list and narrow forms',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, stateOf('users'), scene.superuser)

    await test.step('logo and header are one bar, with one edge of 16 px', async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
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

    const headerStandsOverEdges = async () => {
      for (const width of [320, 390, 768, 1280, 1920, 2560]) {
        await page.setViewportSize({ width, height: 900 })
        await rendered(page)
        const edges = await page.locator('main').evaluate((main) => {
          const { paddingLeft, paddingRight } = getComputedStyle(main)
          const { left, right } = main.getBoundingClientRect()
          return { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) }
        })
        const icon = await boxOf(page.getByRole('button', { name: 'Toggle sidebar' }).locator('svg'))
        expect(Math.abs(icon.x - edges.left), `at ${width}`).toBeLessThanOrEqual(2)
        const button = page.getByRole('button', { name: 'Search and go to' })
        const search = await boxOf(width < 1024 ? button.locator('svg') : button)
        expect(Math.abs(end(search) - edges.right)).toBeLessThanOrEqual(width < 1024 ? 8 : 0)
        if (width >= 1024) expect(search.width).toBe(220)
      }
    }

    await test.step('the header stands over the edges of a list', headerStandsOverEdges)

    await test.step('a list is wide', async () => {
      await page.setViewportSize({ width: 1920, height: 1080 })
      const { width } = await boxOf(page.getByRole('table'))
      expect(width).toBeGreaterThan(1400)
      expect(width).toBeLessThanOrEqual(1440)
    })

    await page.goto('/settings')

    await test.step('a form is narrow', async () => {
      await page.setViewportSize({ width: 1920, height: 1080 })
      const form = await page.getByRole('textbox', { name: /^Email/ }).boundingBox()
      expect(form?.width).toBeLessThanOrEqual(512)
    })

    await test.step('the header stands over the edges of the settings', headerStandsOverEdges)

    await test.step('the frame of the sessions ends below the end of the header', async () => {
      await page.setViewportSize({ width: 1920, height: 1080 })
      await page.goto('/security')
      const frame = page.getByRole('list', { name: 'Sessions' }).locator('..')
      expect(end(await boxOf(frame))).toBe(end(await boxOf(page.getByRole('button', { name: 'Search and go to' }))))
    })
  },
)

test(
  'the error of the shell keeps away from the edges',
  { tag: '@phone' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 409|ApiError: Conflict/)
    await enterState(page, stateOf('route-error'), scene.user)
    expect(await boxOf(page.getByRole('alert'))).toMatchObject({ x: 16, y: 16 })
  },
)

test.describe('on a wide touch screen', { tag: '@wide' }, () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 1400, height: 1000 } })

  test('large controls cover no text and cut none', async ({ page, scene }) => {
    await enterState(page, stateOf('users'), scene.superuser)
    const search = page.getByRole('button', { name: 'Search and go to' })
    expect(await search.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0)
    const box = page.getByRole('checkbox', { name: 'Select all on this page' })
    const heading = page.getByRole('columnheader').first()
    expect(end(await boxOf(box))).toBeLessThanOrEqual((await boxOf(heading)).x)
    const name = page.locator('td[data-title]').first()
    const textOf = (cell: typeof heading) =>
      cell.evaluate((element) => Number.parseFloat(getComputedStyle(element).paddingLeft))
    expect(await textOf(heading)).toBe(await textOf(name))
  })
})
