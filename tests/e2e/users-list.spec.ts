import { boxOf, middle } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('rows have at most three lines at every width', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await changeRows(page, 'users/?*', {
    email: `${'long'.repeat(15)}@example.com`,
    is_superuser: true,
    last_active_at: new Date(Date.now() - 320 * 86_400_000).toISOString(),
  })
  await enterState(page, stateOf('users'), scene.superuser)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toHaveAttribute('data-state', 'collapsed')
  await expect(page.getByText('longlong').first()).toBeVisible()
  const rows = page.locator('tbody tr')
  for (const width of [768, 1000, 1100, 1280]) {
    await page.setViewportSize({ width, height: 1024 })
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    // Three lines are 64 px high, and 73 px with a badge.
    expect(Math.max(...heights), `rows at ${width} px`).toBeLessThanOrEqual(75)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await expect(page.getByRole('button', { name: 'Email' })).toBeVisible()
  await sidebar.getByRole('link', { name: 'Users' }).focus()
  await page.keyboard.press('Control+b')
  await expect(sidebar).toHaveAttribute('data-state', 'expanded')
  await expect(page.getByRole('button', { name: 'Email' })).toBeVisible()
  await page.setViewportSize({ width: 1100, height: 1024 })
  await expect(page.getByRole('button', { name: 'Email' })).toBeHidden()
})

test('the email addresses of users have the most room', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, stateOf('users'), scene.superuser)
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    const widths = await page
      .getByRole('columnheader')
      .evaluateAll((all) => all.map((head) => head.getBoundingClientRect().width))
    const [name = 0, email = 0] = widths
    expect(email, `at ${width} px`).toBe(Math.max(...widths))
    expect(email, `at ${width} px`).toBeGreaterThan(264)
    expect(name, `at ${width} px`).toBeGreaterThan(200)
  }
})

test('times in a table are on one line and not cut', { tag: '@wide' }, async ({ page, scene }) => {
  await changeRows(page, 'users/?*', { last_active_at: new Date(Date.now() - 50 * 60_000).toISOString() })
  for (const name of ['users', 'audit']) {
    await enterState(page, stateOf(name), scene.superuser)
    const time = page.locator('td time').first()
    const { height = 0 } = (await time.boundingBox()) ?? {}
    expect(height, name).toBeLessThan(25)
    expect(await time.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth)).toBe(0)
  }
})

test('a card shows an address that fits into its line', { tag: '@phone' }, async ({ page, scene }) => {
  const address = 'grace.brewster.hopper@example.com'
  await changeRows(page, 'users/?*', { email: address })
  await enterState(page, stateOf('users'), scene.superuser)
  const cut = await page
    .getByTitle(address)
    .first()
    .evaluate((cell) => cell.scrollWidth - cell.clientWidth)
  expect(cut).toBe(0)
})

test(
  'a phone of 320 px has a link or a button beside a label or a heading',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enterState(page, stateOf('login'), scene.visitor)
    const label = page.getByText('Password', { exact: true })
    const link = page.getByRole('link', { name: 'Forgot your password?' })
    expect(Math.abs(middle(await boxOf(link)) - middle(await boxOf(label)))).toBeLessThan(4)
    await enterState(page, stateOf('users'), scene.superuser)
    const heading = await boxOf(page.getByRole('heading', { name: 'Users' }))
    const invite = await boxOf(page.getByRole('button', { name: 'Invite User' }))
    expect(invite.y).toBeLessThan(heading.y + heading.height)
  },
)

test('the pages of a list are on one line of a small screen', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await changeRows(page, 'users/?*', {}, { count: 105 })
  await enterState(page, { name: 'second page', as: 'superuser', url: '/users?page=2' }, scene.superuser)
  const pager = page.getByRole('navigation', { name: 'Pagination', exact: true })
  await expect(pager.getByRole('textbox', { name: /^Page/ })).toHaveValue('2')
  await expect(pager.getByRole('link', { name: 'Page 1', exact: true })).toBeHidden()
  const { height = 0 } = (await pager.boundingBox()) ?? {}
  expect(height).toBeLessThan(50)
})

test(
  'the bar of the Add button covers the rows over their whole width, and no row at the end',
  { tag: '@phone' },
  async ({ page, scene }) => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await enterState(page, stateOf('users'), scene.superuser)
      const bar = page.getByRole('button', { name: 'Add User' }).locator('..')
      const { x, y = 0, width: covered, height = 0 } = (await bar.boundingBox()) ?? {}
      expect([x, covered, y + height]).toEqual([0, width, 844])
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      const pages = await page.getByRole('navigation', { name: 'Pagination', exact: true }).boundingBox()
      expect((pages?.y ?? 0) + (pages?.height ?? 0)).toBeLessThanOrEqual(y)
      const link = page.getByRole('link', { name: 'N/A, root@example.com' })
      const name = await link.getByText('N/A').boundingBox()
      const badge = await page.getByText('You', { exact: true }).boundingBox()
      expect((badge?.x ?? 0) - (name?.x ?? 0) - (name?.width ?? 0)).toBeLessThan(16)
    }
  },
)

test('a menu fits into the window of a rotated phone', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await enterState(page, stateOf('users'), scene.superuser)
  const button = page.getByRole('button', { name: 'Actions for person3@example.com' })
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})
