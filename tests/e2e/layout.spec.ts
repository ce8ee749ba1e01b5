import type { Locator, Page } from '@playwright/test'
import { Api, type Person } from '../support/api.ts'
import { enterState, states } from '../support/states.ts'
import { expect, isHydrated, rendered, test } from './fixtures.ts'
import { itemLists, itemSheets } from '../support/items/states.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const state = (name: string) => {
  const found = states.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no state ${name}`)
  return found
}

async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const sum = { value: 0 }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const add = (entries: PerformanceEntryList) => {
      for (const { value } of entries as (PerformanceEntry & { value: number })[]) sum.value += value
    }
    Object.assign(window, { readLayoutShift: () => (add(observer.takeRecords()), sum.value) })
  })
  return async () => {
    await rendered(page)
    return page.evaluate(() => (window as unknown as { readLayoutShift: () => number }).readLayoutShift())
  }
}

/** Changes all rows of the lists that the server answers. */
async function changeRows(page: Page, path: string, row: object, list: object = {}): Promise<void> {
  await page.route(`**/api/v1/${path}`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('skip=50', 'skip=0') })
    const given = (await response.json()) as { data: object[] }
    const data = given.data.map((one) => ({ ...one, ...row }))
    await route.fulfill({ response, json: { ...given, data, ...list } })
  })
}

/** Logs in twice, because the page of sessions has room for one while it loads. */
async function tokenBesideOthers(url: string, person: Person): Promise<string> {
  await Api.logIn(url, person)
  return (await Api.logIn(url, person)).token
}

for (const name of [
  // One entry on each line, because `npm run new -- remove items` removes lines.
  'login',
  'dashboard',
  'sidebar-collapsed',
  ...itemLists,
  'users',
  'security',
  'settings-general',
]) {
  test(`${name}: loading causes no layout shift`, async ({ page, scene, baseURL, newUser, server }) => {
    const { as, url } = state(name)
    const layoutShift = await watchLayoutShift(page)
    const collapsed = name === 'sidebar-collapsed'
    if (collapsed) await page.context().addCookies([{ name: 'sidebar_state', value: 'false', url: baseURL ?? '' }])
    const token = name === 'security' ? await tokenBesideOthers(server.url, await newUser()) : scene[as]
    await enterState(page, { name, as, url }, token)
    // A list shows its heading and search before its rows.
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.evaluate(() => document.fonts.ready)
    expect(await layoutShift()).toBe(0)
  })
}

for (const [mail, windowWidth, tag] of [
  [true, 1280, '@wide'],
  [false, 1280, '@wide'],
  [true, 390, '@phone'],
  [true, 320, '@phone'],
] as const)
  test(
    `the skeleton of a superuser’s dashboard has the places of the page at ${windowWidth} px${mail ? '' : ', with the notice that mail is not set up'}`,
    { tag },
    async ({ page, scene }) => {
      await page.setViewportSize({ width: windowWidth, height: 800 })
      const boxes = (selector: string) =>
        page.locator(selector).evaluateAll((all) =>
          all.map((part) => {
            const { x, y, width } = part.getBoundingClientRect()
            return { x, y, width }
          }),
        )
      const held = Promise.withResolvers<void>()
      await page.route('**/users/me/overview', async (route) => {
        await held.promise
        const response = await route.fetch()
        const overview = (await response.json()) as { setup: object; users: object }
        const users = { ...overview.users, expiring: 12, failed_log_ins: { last_day: 0, day_before: 1234 } }
        await route.fulfill({ response, json: { ...overview, users, setup: { ...overview.setup, mail } } })
      })
      const { as, url } = state('dashboard-of-a-superuser')
      await page.route(url, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('&quot;mail&quot;:false', `&quot;mail&quot;:${mail}`)
        await route.fulfill({ response, body })
      })
      await enterState(page, { name: 'loading', as, url }, scene[as])
      const skeleton = 'main [aria-hidden].rounded-lg'
      await page.locator(skeleton).first().waitFor()
      const before = await boxes(skeleton)
      held.resolve()
      await page.getByRole('region', { name: 'Recent activity' }).waitFor()
      await page.getByRole('region', { name: 'New users by day' }).waitFor()
      await expect(page.locator(skeleton)).toHaveCount(0)
      await expect(page.getByText('Mail is not set up.')).toHaveCount(mail ? 0 : 1)
      const notice = mail ? '' : 'main div:has(> svg + div), '
      const after = await boxes(`${notice}main ul[aria-label=Numbers] > li, main section`)
      // In one column, sections are moved by those above them, which have as many rows as there are users and actions.
      const tiles = await page.locator('main ul[aria-label=Numbers] > li').count()
      const number = windowWidth < 768 ? tiles + 1 : after.length
      expect(after.slice(0, number)).toEqual(before.slice(0, number))
      expect(after).toHaveLength(before.length)
    },
  )

test('rows of users without a name are as high as others', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/users/me/overview', async (route) => {
    const response = await route.fetch()
    const overview = (await response.json()) as { users: { newest: { full_name: string | null }[] } }
    const [first, second] = overview.users.newest
    Object.assign(first ?? {}, { full_name: null })
    Object.assign(second ?? {}, { full_name: 'Ada Lovelace' })
    await route.fulfill({ response, json: overview })
  })
  await enterState(page, state('dashboard-of-a-superuser'), scene.superuser)
  const rows = page.getByRole('region', { name: 'Newest users' }).getByRole('link', { name: /@|Ada/ })
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  expect(new Set(heights).size).toBe(1)
})

async function headingFont(page: Page): Promise<string | undefined> {
  // Node ids are only valid after this event.
  await page.waitForLoadState('domcontentloaded')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts[0]?.familyName
}

for (const path of ['/login', '/signup', '/recover-password', '/reset-password?token=some']) {
  test(`${path}: nothing moves when Geist loads after the text, and the font stays the same`, async ({ page }) => {
    const layoutShift = await watchLayoutShift(page)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/*.woff2', (route) => held.then(() => route.continue()))
    const loaded = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'))
    await page.goto(path, { waitUntil: 'commit' })
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    await rendered(page)
    const before = [await headingFont(page), await heading.boundingBox()]
    release()
    await loaded
    await page.evaluate(() => document.fonts.ready)
    expect(await layoutShift()).toBe(0)
    expect([await headingFont(page), await heading.boundingBox()]).toEqual(before)
  })
}

test('a later visit is in Geist', { tag: '@wide' }, async ({ page }) => {
  const loaded = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'))
  await page.goto('/login')
  await loaded
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await rendered(page)
  expect(await headingFont(page)).toBe('Geist')
})

test('the theme is set before the first paint', { tag: '@wide' }, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.route('**/assets/*.js', () => undefined)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveClass('dark')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', /^oklch\(0\.\d/)
})

test('the sidebar stays collapsed after a reload', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, state('users'), scene.superuser)
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
    await enterState(page, state(name), scene[viewer])
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
  await enterState(page, state('users'), scene.superuser)
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
  await enterState(page, state('users'), scene.superuser)
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

test('rows have at most three lines at every width', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await changeRows(page, 'users/?*', {
    email: `${'long'.repeat(15)}@example.com`,
    is_superuser: true,
    last_active_at: new Date(Date.now() - 320 * 86_400_000).toISOString(),
  })
  await enterState(page, state('users'), scene.superuser)
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

test(
  'from 768 px, the filters are in one line with the search, and cards have boxes',
  { tag: '@wide' },
  async ({ page, scene }) => {
    const controls = [
      page.getByRole('searchbox', { name: 'Search users' }),
      page.getByLabel('Role'),
      page.getByLabel('Status'),
      page.getByLabel('Last active'),
      page.getByRole('button', { name: 'Sort' }),
      page.getByRole('button', { name: 'More actions', exact: true }),
    ]
    const filters = page.getByRole('button', { name: 'Filters' })
    const box = page.getByRole('row').nth(1).getByRole('checkbox')
    await page.setViewportSize({ width: 768, height: 1024 })
    await enterState(page, state('users'), scene.superuser)
    const middles: number[] = []
    for (const control of controls) {
      const { y, height } = (await control.boundingBox()) ?? { y: 0, height: 0 }
      middles.push(y + height / 2)
    }
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
    await expect(filters).toBeHidden()
    await expect(box).toBeVisible()
    await page.setViewportSize({ width: 640, height: 1024 })
    await expect(filters).toBeVisible()
    await expect(page.getByLabel('Role')).toBeHidden()
    await expect(box).toBeHidden()
  },
)

test(
  'the search keeps its place when filters are chosen, and so do tools over a table',
  { tag: '@wide' },
  async ({ page, scene }) => {
    const search = page.getByRole('searchbox', { name: 'Search users' })
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await enterState(page, state('users'), scene.superuser)
      const kept = width === 768 ? [search] : [search, page.getByRole('button', { name: 'Sort' })]
      const before = await Promise.all(kept.map(boxOf))
      await page.getByLabel('Last active').selectOption('Never logged in')
      await page.getByLabel('Created').selectOption('Today')
      await expect(page).toHaveURL(/never_active=only&created_from=/)
      await page.getByRole('button', { name: 'Clear filters' }).waitFor()
      expect(await Promise.all(kept.map(boxOf)), `at ${width} px`).toEqual(before)
    }
  },
)

test(
  'one filter with two values leaves the filters of a table in one line',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await enterState(page, { ...state('users'), url: '/users?status=active,inactive' }, scene.superuser)
    const filters = ['Role', /^Status/, 'Last active', 'Created', 'Sort'].map((name) => page.getByLabel(name).first())
    const middles = (await Promise.all(filters.map(boxOf))).map(({ y, height }) => y + height / 2)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
  },
)

test('two filters and a search leave the toolbar of a table in one line', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await changeRows(page, 'users/?*', {}, { count: 1_000_000 })
  for (const filters of ['role=user&status=active', 'role=user&idle_days=90']) {
    await enterState(page, { ...state('users'), url: `/users?q=e&${filters}` }, scene.superuser)
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    expect(await boxOf(page.getByRole('search')), filters).toMatchObject({ height: 36 })
  }
})

test('a range of days leaves the toolbar of a table in one line', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const search of ['', '&q=e']) {
    const url = `/users?created_from=2020-10-10&created_to=2030-10-20${search}`
    await enterState(page, { ...state('users'), url }, scene.superuser)
    await expect(page.getByLabel('From')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(search === '' ? 0 : 1)
    expect(await boxOf(page.getByRole('search')), url).toMatchObject({ height: 36 })
  }
})

test('the page stays where it is behind the sheet of filters', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, { name: 'users-active', as: 'superuser', url: '/users?status=active' }, scene.superuser)
  const row = page.locator('[data-row]').first()
  const before = await boxOf(row)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
  expect(await boxOf(row)).toEqual(before)
})

test('a phone filters the audit log by time', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, state('audit'), scene.superuser)
  const finder = await boxOf(page.getByRole('combobox', { name: 'Find events, people or details' }))
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Today')
  await expect(page).toHaveURL(/last=today$/)
  expect(finder.width).toBeGreaterThan(250)
})

test('a card shows an address that fits into its line', { tag: '@phone' }, async ({ page, scene }) => {
  const address = 'grace.brewster.hopper@example.com'
  await changeRows(page, 'users/?*', { email: address })
  await enterState(page, state('users'), scene.superuser)
  const cut = await page
    .getByTitle(address)
    .first()
    .evaluate((cell) => cell.scrollWidth - cell.clientWidth)
  expect(cut).toBe(0)
})

test('a note of a filter is as high as the controls beside it', async ({ page, scene }) => {
  await enterState(page, { ...state('audit'), url: '/audit?result=done' }, scene.superuser)
  const note = page.getByText('Succeeded').last().locator('xpath=../..')
  expect((await boxOf(note)).height).toBe((await boxOf(page.getByRole('combobox', { name: /^Find/ }))).height)
})

test(
  'the preview of an import breaks an address at its @, not at a hyphen',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, state('import-users'), scene.superuser)
    await page.getByLabel('File content').fill('email\nwolfeschlegelsteinhausen@bergerdorff-welt-handels.example')
    await page.getByRole('button', { name: 'Preview' }).click()
    const lines = await page.getByRole('cell', { name: /^wolfe/ }).evaluate((cell) => {
      const range = document.createRange()
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      return Array.from({ length: 2 }, () => {
        range.selectNodeContents(walker.nextNode() ?? cell)
        return [range.toString(), range.getClientRects().length]
      })
    })
    expect(lines).toEqual([
      ['wolfeschlegelsteinhausen@', 1],
      ['bergerdorff-welt-handels.example', 1],
    ])
  },
)

test('an entry of the audit log is two lines on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.route('**/api/v1/audit/*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { data: { actor: object; subject: object }[] }
    const actor = { id: crypto.randomUUID(), email: 'grace.brewster.hopper@example.com' }
    const subject = { id: crypto.randomUUID(), email: 'augusta.ada.king.countess.of.lovelace@example.com' }
    const data = list.data.map((entry) => ({ ...entry, actor, subject }))
    await route.fulfill({ response, json: { ...list, data } })
  })
  await enterState(page, state('audit'), scene.superuser)
  const row = page.getByRole('row').nth(1)
  const links = await row.getByRole('link').evaluateAll((all) => all.map((link) => link.getBoundingClientRect()))
  expect(links).toHaveLength(2)
  expect(links[1]).toMatchObject({ y: links[0]?.y, height: 44 })
  const { height = 0 } = (await row.boundingBox()) ?? {}
  expect(height).toBeLessThan(44 + 50)
})

test('the email addresses of users have the most room', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, state('users'), scene.superuser)
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

test(
  'an entry of the audit log is one line in a table until it is opened',
  { tag: '@wide' },
  async ({ page, scene }) => {
    const email = `${'long'.repeat(12)}@example.com`
    const address = '2001:db8:1234:5678:9abc:def0:1234:5678'
    await page.route('**/api/v1/audit/*', async (route) => {
      const response = await route.fetch()
      const list = (await response.json()) as { data: object[] }
      const party = { id: crypto.randomUUID(), email }
      const details = { id: party.id, name: 'long'.repeat(50) }
      const data = list.data.map((entry) => ({ ...entry, actor: party, subject: party, address, details }))
      await route.fulfill({ response, json: { ...list, data } })
    })
    await enterState(page, state('audit'), scene.superuser)
    const row = page.getByRole('row').nth(1)
    const cut = (text: string) =>
      row
        .getByTitle(text)
        .evaluateAll((all) =>
          all.some((cell) =>
            [cell, ...cell.children].some(
              ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
            ),
          ),
        )
    const heightOf = async () => (await row.boundingBox())?.height ?? 0
    expect(await heightOf()).toBeLessThan(45)
    expect([await cut(email), await cut(address)]).toEqual([true, true])
    await row.getByRole('button').click()
    expect(await heightOf()).toBeGreaterThan(45)
    expect([await cut(email), await cut(address)]).toEqual([false, false])
  },
)

test('the search for a person stays where it is when one is chosen', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, state('audit'), scene.superuser)
  const box = page.getByRole('combobox', { name: 'Find events, people or details' })
  const parts = [box, page.getByRole('table')]
  const places = () => Promise.all(parts.map(async (part) => (await part.boundingBox())?.y))
  const before = await places()
  for (const group of [0, 1]) {
    await box.fill('ada@example.com')
    const options = page.getByRole('option', { name: /^Ada Lovelace/ })
    await expect(options).toHaveCount(2)
    await options.nth(group).click()
    await expect(page.getByRole('button', { name: /^Show events (by|about)/ })).toHaveCount(group + 1)
    expect(await places()).toEqual(before)
  }
})

test('only narrow cards hide the details of a closed entry', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/api/v1/audit/*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { data: object[] }
    const details = { full_name: { from: 'Ada', to: 'Ada King' } }
    await route.fulfill({ response, json: { ...list, data: list.data.map((entry) => ({ ...entry, details })) } })
  })
  await enterState(page, state('audit'), scene.superuser)
  const details = page.getByRole('row').nth(1).getByLabel('Details')
  for (const [width, isShown] of [
    [1280, true],
    [1024, true],
    [390, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(details).toBeVisible({ visible: isShown })
  }
})

test('the details of an entry of the audit log are one line of text', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/api/v1/audit/*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { data: object[] }
    // Texts are short, because their widths depend on the font.
    const details = { filter: { q: 'a' }, number: 2 }
    await route.fulfill({ response, json: { ...list, data: list.data.map((entry) => ({ ...entry, details })) } })
  })
  await enterState(page, state('audit'), scene.superuser)
  await page.getByRole('row').nth(1).getByRole('button').click()
  const parts = page.getByRole('row').nth(1).getByRole('list', { name: 'Details' }).getByRole('listitem')
  const tops = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top))
  expect(tops.length).toBeGreaterThan(1)
  expect(new Set(tops).size).toBe(1)
})

test('times in a table are on one line and not cut', { tag: '@wide' }, async ({ page, scene }) => {
  await changeRows(page, 'users/?*', { last_active_at: new Date(Date.now() - 50 * 60_000).toISOString() })
  for (const name of ['users', 'audit']) {
    await enterState(page, state(name), scene.superuser)
    const time = page.locator('td time').first()
    const { height = 0 } = (await time.boundingBox()) ?? {}
    expect(height, name).toBeLessThan(25)
    expect(await time.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth)).toBe(0)
  }
})

test('the sidebar shows where a name from right to left begins', { tag: '@wide' }, async ({ page, scene }) => {
  await page.route('**/api/v1/users/me', async (route) => {
    const response = await route.fetch()
    const user = (await response.json()) as object
    await route.fulfill({ response, json: { ...user, full_name: 'ليلى بنت عبد الرحمن بن محمد الحسيني البغدادي' } })
  })
  await enterState(page, state('users'), scene.superuser)
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
  await enterState(page, state('users'), scene.superuser)
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
  'a phone of 320 px has a link or a button beside a label or a heading',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await enterState(page, state('login'), scene.visitor)
    const label = page.getByText('Password', { exact: true })
    const link = page.getByRole('link', { name: 'Forgot your password?' })
    expect(Math.abs(middle(await boxOf(link)) - middle(await boxOf(label)))).toBeLessThan(4)
    await enterState(page, state('users'), scene.superuser)
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
  'on a phone on its side, a form has the whole height and a low heading',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 844, height: 390 })
    await enterState(page, state('edit-user'), scene.superuser)
    const dialog = page.getByRole('dialog')
    await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(390)
    const { y = 0, height = 0 } = (await dialog.getByRole('heading', { name: 'Edit User' }).boundingBox()) ?? {}
    expect(height).toBeGreaterThan(0)
    expect(y + height / 2).toBeLessThan(25)
  },
)

test('a dialog dims the space of the scroll bar, too', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enterState(page, { ...state('add-user'), url: '/users?q=person' }, scene.superuser)
  const colorAt = (x: number) => page.screenshot({ clip: { x, y: 600, width: 2, height: 2 } })
  await expect.poll(async () => (await colorAt(1275)).equals(await colorAt(1250))).toBe(true)
})

test(
  'forced colours: the bars of a chart are visible, and the chosen one differs',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await enterState(page, state('dashboard-of-a-superuser'), scene.superuser)
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
  },
)

test(
  'forced colours: the current page, the current tab and borders are visible; printing leaves the page alone',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await enterState(page, state('settings-general'), scene.superuser)
    const edge = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => Number.parseFloat(getComputedStyle(tab).borderBottomWidth))
    expect(await edge('General')).toBe(3)
    expect(await edge('Password')).toBe(0)
    await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toHaveCSS('border-style', 'solid')
    await page.goto('/users')
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCSS('outline-style', 'solid')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Users')).toHaveCSS(
      'outline-style',
      'none',
    )
    await page.emulateMedia({ media: 'print', forcedColors: 'none' })
    await expect(page.getByRole('table')).toBeVisible()
    for (const role of ['navigation', 'banner', 'search', 'button'] as const) {
      // Tables contain the buttons of rows and the headings that sort.
      const outside = page.getByRole(role).and(page.locator(':not(table *)'))
      await expect(outside.filter({ visible: true })).toHaveCount(0)
    }
  },
)

test('reduced motion: nothing is animated', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enterState(page, state('add-user'), scene.superuser)
  const durations = await page.evaluate(() =>
    Array.from(document.querySelectorAll('*'), (element) => getComputedStyle(element))
      .flatMap((style) => [style.animationDuration, style.transitionDuration].join().split(','))
      .map((duration) => Number.parseFloat(duration)),
  )
  expect(Math.max(...durations)).toBeLessThan(0.001)
})

/** @param by pixels to the right and down @param from pixels above the lower edge of the element */
async function swipe(page: Page, selector: string, by: { right?: number; down?: number }, from = 120): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const box = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) => {
    const x = box.x + 12 + (by.right ?? 0) * (part ?? 0)
    const y = box.y + box.height - from + (by.down ?? 0) * (part ?? 0)
    return client.send('Input.dispatchTouchEvent', { type, touchPoints: part === undefined ? [] : [{ x, y }] })
  }
  await touch('touchStart', 0)
  for (let step = 1; step <= 10; step += 1) await touch('touchMove', step / 10)
  await touch('touchEnd')
}

const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

const middle = ({ y, height }: { y: number; height: number }) => y + height / 2
const end = ({ x, width }: { x: number; width: number }) => x + width

test('the button that closes a dialog is level with its title, and ends with its content', async ({ page, scene }) => {
  const icon = page.getByRole('dialog').getByRole('button', { name: 'Close' }).locator('svg')
  await enterState(page, state('add-user'), scene.superuser)
  const title = page.getByRole('heading', { name: 'Add User' })
  await expect.poll(async () => middle(await boxOf(icon)) - middle(await boxOf(title))).toBe(0)
  // A sheet is still sliding in.
  const name = page.getByRole('textbox', { name: 'Full Name' })
  await expect.poll(async () => end(await boxOf(icon)) - end(await boxOf(name))).toBe(0)
  await enterState(page, state('palette'), scene.superuser)
  const field = page.getByRole('combobox', { name: 'Search and go to' })
  await expect.poll(async () => middle(await boxOf(icon)) - middle(await boxOf(field))).toBe(0)
})

test(
  'the error of the shell keeps away from the edges',
  { tag: '@phone' },
  async ({ page, scene, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 409|ApiError: Conflict/)
    await enterState(page, state('route-error'), scene.user)
    expect(await boxOf(page.getByRole('alert'))).toMatchObject({ x: 16, y: 16 })
  },
)

test('messages move nothing at any width, and are nearer to their field than to others', async ({ page, scene }) => {
  await enterState(page, state('signup'), scene.visitor)
  const [name, email] = [page.getByRole('textbox', { name: 'Full Name' }), page.getByRole('textbox', { name: 'Email' })]
  const [password, confirmation] = [page.getByLabel('Password *', { exact: true }), page.getByLabel('Confirm Password')]
  const submit = page.getByRole('button', { name: 'Sign Up' })
  for (const width of [320, 360, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    const before = await boxOf(submit)
    await password.fill('short')
    await confirmation.fill('other')
    await name.focus()
    await submit.focus()
    const long = page.getByText('Password must be at least 8 characters')
    for (const message of [long, page.getByText('The passwords do not match')]) await expect(message).toBeVisible()
    expect(await boxOf(submit), `at ${width} px`).toEqual(before)
    const message = await boxOf(page.getByText('Full Name is required'))
    const [own, next] = [await boxOf(name), await boxOf(email)]
    const gaps = [own, next].map(({ y, height }) => Math.max(y - message.y - message.height, message.y - y - height))
    expect(gaps[0]).toBeLessThan(gaps[1] ?? 0)
    await page.reload()
    await isHydrated(page)
  }
})

test('a field takes 72 px, and the button is 24 px below the last one', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, state('signup'), scene.visitor)
  const tops = await page.getByRole('textbox').evaluateAll((all) => all.map((field) => field.getBoundingClientRect().y))
  expect(tops.slice(1).map((top, index) => top - (tops[index] ?? 0))).toEqual([72, 72, 72])
  const last = await boxOf(page.getByLabel('Confirm Password'))
  expect((await boxOf(page.getByRole('button', { name: 'Sign Up' }))).y - last.y - last.height).toBe(24)
  await page.goto('/login')
  const password = await boxOf(page.getByLabel('Password', { exact: true }))
  expect((await boxOf(page.getByRole('button', { name: 'Login', exact: true }))).y - password.y - password.height).toBe(
    24,
  )
})

test(
  'the dialog of a user fits a laptop, with short fields side by side',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, state('edit-user'), scene.superuser)
    const dialog = page.getByRole('dialog')
    const body = dialog.locator(':has(> [id^=radix])').filter({ hasNot: page.getByRole('heading') })
    const passwords = dialog.locator('[name=password], [name=confirm_password]')
    await expect(passwords).toHaveCount(2)
    for (const [width, areBeside] of [
      [1280, true],
      [640, true],
      [600, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      expect(await body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), `${width}`).toBe(0)
      // Both at once, because the dialog is moving while it opens.
      const [first, second] = await passwords.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
      expect(first === second, `at ${width} px`).toBe(areBeside)
    }
  },
)

test('texts of both directions begin at the same place', async ({ page, scene }) => {
  await page.route('**/api/v1/users/me/overview', async (route) => {
    const response = await route.fetch()
    const overview = (await response.json()) as { users: { newest: object[] } }
    Object.assign(overview.users.newest[1] ?? {}, { full_name: 'حديقة: خطة الأحواض والممرات' })
    await route.fulfill({ response, json: overview })
  })
  await enterState(page, state('dashboard-of-a-superuser'), scene.superuser)
  const names = page.getByRole('region', { name: 'Newest users' }).locator('li bdi')
  await expect(names.filter({ hasText: 'حديقة' })).toBeVisible()
  const starts = await names.evaluateAll((all) =>
    all.map((name) => {
      const range = document.createRange()
      range.selectNodeContents(name)
      return Math.round(range.getBoundingClientRect().x)
    }),
  )
  expect(new Set(starts).size).toBe(1)
})

test(
  'the bar of the Add button covers the rows over their whole width, and no row at the end',
  { tag: '@phone' },
  async ({ page, scene }) => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await enterState(page, state('users'), scene.superuser)
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

test(
  'SPEC 9: a sheet closes when it is swiped over a quarter of its width',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await enterState(page, state('add-user'), scene.superuser)
    const dialog = page.getByRole('dialog', { name: 'Add User' })
    await dialog.getByLabel('Full Name').fill('Half written')
    await swipe(page, '[role=dialog]', { right: 60 })
    await expect(dialog).toHaveCSS('transform', /none|matrix\(1, 0, 0, 1, 0, 0\)/)
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Half written')
    await swipe(page, '[role=dialog]', { right: 200 })
    await expect(dialog).toBeHidden()
  },
)

for (const name of [
  // One entry on each line, because `npm run new -- remove items` removes lines.
  ...itemSheets,
  'add-user',
  'edit-user',
  'delete-user',
  'delete-account',
]) {
  test(
    `SPEC 2: ${name} is a side sheet with its buttons at the lower end`,
    { tag: '@phone' },
    async ({ page, scene }) => {
      const { as } = state(name)
      await enterState(page, state(name), scene[as])
      const dialog = page.getByRole('dialog')
      await expect(dialog).toHaveCSS('animation-name', 'slide-in')
      await expect(dialog).toHaveCSS('--away', 'translateX(100%)')
      await dialog.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))
      const { x = 0, y = 0, width = 0, height = 0 } = (await dialog.boundingBox()) ?? {}
      expect([x + width, y, height]).toEqual([390, 0, 844])
      const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox()
      expect(cancel?.y).toBeGreaterThan(844 - 80)
      const body = dialog.locator(':has(> [id^=radix])').filter({ hasNot: page.getByRole('heading') })
      await expect(body).toHaveCSS('overflow-y', 'auto')
    },
  )
}

for (const name of ['turn-off-two-step', 'confirm-by-code', 'deactivate-user', 'end-token']) {
  test(
    `${name} comes from below on a phone, as high as its content`,
    { tag: '@phone' },
    async ({ page, scene, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 423/)
      const { as } = state(name)
      await enterState(page, state(name), scene[as])
      const dialog = page.getByRole('dialog')
      await expect(dialog).toHaveCSS('animation-name', 'slide-in')
      await expect(dialog).toHaveCSS('--away', 'translateY(100%)')
      await dialog.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))
      const { x, y, width, height } = await boxOf(dialog)
      expect([x, width, y + height]).toEqual([0, 390, 844])
      expect(height).toBeLessThan(600)
    },
  )
}

test('a line appears under the head of a dialog when it is scrolled', { tag: '@phone' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 420 })
  await enterState(page, state('add-user'), scene.superuser)
  const body = page
    .getByRole('dialog')
    .locator(':has(> [id^=radix])')
    .filter({ hasNot: page.getByRole('heading') })
  await body.evaluate((element) => (element.scrollTop = 0))
  // In its first frame, the sheet is still beside the window.
  await rendered(page)
  const { x, y } = await boxOf(body)
  const edge = () => page.screenshot({ clip: { x: x + 2, y: Math.round(y), width: 8, height: 2 } })
  const before = await edge()
  await body.evaluate((element) => (element.scrollTop = 40))
  await expect.poll(async () => (await edge()).equals(before)).toBe(false)
})

test('the sheet of filters closes with a swipe down', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, state('users-filter-sheet'), scene.superuser)
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await page.evaluate(() =>
    document
      .querySelector('[role=dialog]')
      ?.getAnimations()
      .forEach((a) => a.finish()),
  )
  const { y = 0, width = 0, height = 0 } = (await sheet.boundingBox()) ?? {}
  expect([y + height, width]).toEqual([844, 390])
  await swipe(page, '[role=dialog]', { down: 40 }, height - 24)
  await expect(sheet).toHaveCSS('transform', /none|matrix\(1, 0, 0, 1, 0, 0\)/)
  await swipe(page, '[role=dialog]', { down: height / 2 }, height - 24)
  await expect(sheet).toBeHidden()
})

test('the sidebar’s sheet closes with a swipe to the left', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, state('sidebar-sheet'), scene.superuser)
  const sheet = page.getByRole('dialog', { name: 'Sidebar' })
  const { width = 0 } = (await sheet.boundingBox()) ?? {}
  expect(width).toBeCloseTo(288, 1)
  await page.evaluate(() =>
    document
      .querySelector('[role=dialog]')
      ?.getAnimations()
      .forEach((a) => a.finish()),
  )
  await swipe(page, '[role=dialog] nav', { right: -200 })
  await expect(sheet).toBeHidden()
})

test(
  'an on-screen keyboard hides neither the focused field nor the buttons',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await enterState(page, state('add-user'), scene.superuser)
    const dialog = page.getByRole('dialog', { name: 'Add User' })
    await dialog.getByLabel('Is active?').focus()
    await page.setViewportSize({ width: 390, height: 420 })
    await expect(dialog.getByLabel('Is active?')).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport()
    await dialog.getByLabel('Email').focus()
    await expect(dialog.getByLabel('Email')).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport()
  },
)

test('the palette’s search box stays where it is while one types', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enterState(page, state('palette'), scene.superuser)
  const box = page.getByRole('dialog').getByRole('combobox')
  await rendered(page)
  const before = await box.boundingBox()
  const options = page.getByRole('dialog').getByRole('option')
  const all = await options.count()
  for (const text of ['se', 'no such thing', 'person']) {
    await box.fill(text)
    await expect.poll(() => options.count()).not.toBe(all)
    await page.getByText(/Searching/).waitFor({ state: 'hidden' })
    expect(await box.boundingBox(), text).toEqual(before)
  }
})

test('a menu fits into the window of a rotated phone', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await enterState(page, state('users'), scene.superuser)
  const button = page.getByRole('button', { name: 'Actions for person3@example.com' })
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await button.click()
  await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('rotating the phone keeps typed text', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, state('add-user'), scene.superuser)
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Full Name').fill('Half written')
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Half written')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport()
})
