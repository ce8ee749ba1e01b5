import { boxOf, firstTime } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a table of users', { tag: '@wide' }, async ({ page, scene }) => {
  await changeRows(page, 'users/?*', { last_active_at: new Date(Date.now() - 50 * 60_000).toISOString() })
  await enterState(page, stateOf('users'), scene.superuser)

  await test.step('times are on one line and not cut', async () => {
    const { height, cut } = await firstTime(page)
    expect(height).toBeLessThan(25)
    expect(cut).toBe(0)
  })

  await test.step('email addresses have the most room', async () => {
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

  await test.step('the column Last Active is shown in columns and on cards', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.getByRole('columnheader', { name: 'Last Active' })).toBeVisible()
    await page.setViewportSize({ width: 768, height: 800 })
    await expect(page.locator('td[data-label="Last Active"]').first()).toBeVisible()
  })
})

test('long names and addresses beside and in a table of users', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/api/v1/users/me', async (route) => {
    const response = await route.fetch()
    const user = (await response.json()) as object
    await route.fulfill({ response, json: { ...user, full_name: 'ليلى بنت عبد الرحمن بن محمد الحسيني البغدادي' } })
  })
  await changeRows(page, 'users/?*', {
    email: `${'long'.repeat(15)}@example.com`,
    is_superuser: true,
    last_active_at: new Date(Date.now() - 320 * 86_400_000).toISOString(),
  })
  // The sidebar of a narrow window begins collapsed.
  await page.setViewportSize({ width: 768, height: 1024 })
  await enterState(page, stateOf('users'), scene.superuser)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })

  await test.step('rows have at most three lines at every width', async () => {
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
  })

  await test.step('emails have a column of their own only if the sidebar leaves room', async () => {
    await page.setViewportSize({ width: 1280, height: 1024 })
    await expect(page.getByRole('button', { name: 'Email' })).toBeVisible()
    await sidebar.getByRole('link', { name: 'Users' }).focus()
    await page.keyboard.press('Control+b')
    await expect(sidebar).toHaveAttribute('data-state', 'expanded')
    await expect(page.getByRole('button', { name: 'Email' })).toBeVisible()
    await page.setViewportSize({ width: 1100, height: 1024 })
    await expect(page.getByRole('button', { name: 'Email' })).toBeHidden()
  })

  await test.step('the sidebar shows where a name from right to left begins', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(sidebar).toHaveAttribute('data-state', 'expanded')
    const name = sidebar.getByText(/^ليلى/)
    const isBeginningShown = await name.evaluate((element) => {
      const first = new Range()
      first.setStart(element.firstChild as Text, 0)
      first.setEnd(element.firstChild as Text, 1)
      const frame = element.closest('button')?.querySelector('svg')?.getBoundingClientRect()
      return first.getBoundingClientRect().right <= (frame?.left ?? 0)
    })
    expect(isBeginningShown).toBe(true)
  })
})

test('cards and pages of users on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  const address = 'grace.brewster.hopper@example.com'
  await changeRows(page, 'users/?*', { email: address }, { count: 105 })
  await enterState(page, { name: 'second page', as: 'superuser', url: '/users?page=2' }, scene.superuser)

  await test.step('a card shows an address that fits into its line', async () => {
    const card = page.getByTitle(address).first()
    expect(await card.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
  })

  await test.step('the pages of a list are on one line of a small screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    const pager = page.getByRole('navigation', { name: 'Pagination', exact: true })
    await expect(pager.getByRole('textbox', { name: /^Page/ })).toHaveValue('2')
    await expect(pager.getByRole('link', { name: 'Page 1', exact: true })).toBeHidden()
    expect((await boxOf(pager)).height).toBeLessThan(50)
  })
})

test('buttons and menus of the list of users on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, stateOf('users'), scene.superuser)

  await test.step('the bar of the Add button covers the rows over their whole width, and no row at the end', async () => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(() => window.scrollTo(0, 0))
      const bar = await boxOf(page.getByRole('button', { name: 'Add User' }).locator('..'))
      expect([bar.x, bar.width, bar.y + bar.height]).toEqual([0, width, 844])
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      const pages = await boxOf(page.getByRole('navigation', { name: 'Pagination', exact: true }))
      expect(pages.y + pages.height).toBeLessThanOrEqual(bar.y)
      const link = page.getByRole('link', { name: 'N/A, root@example.com' })
      const name = await boxOf(link.getByText('N/A'))
      const badge = await boxOf(page.getByText('You', { exact: true }))
      expect(badge.x - name.x - name.width).toBeLessThan(16)
    }
  })

  await test.step('at 320 px, a button is beside the heading', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => window.scrollTo(0, 0))
    const heading = await boxOf(page.getByRole('heading', { name: 'Users' }))
    const invite = await boxOf(page.getByRole('button', { name: 'Invite User' }))
    expect(invite.y).toBeLessThan(heading.y + heading.height)
  })

  await test.step('a menu fits into the window of a rotated phone', async () => {
    await page.setViewportSize({ width: 844, height: 390 })
    const button = page.getByRole('button', { name: 'Actions for person3@example.com' })
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await button.click()
    await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})
