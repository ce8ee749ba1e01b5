import type { Page } from '@playwright/test'
import { Api, type Person } from '../support/api.ts'
import { headingFont } from '../support/boxes.ts'
import { reportSlowNetwork } from '../support/reported-network.ts'
import { itemLists } from '../support/items/states.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, isHydrated, rendered, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

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
    const { as, url } = stateOf(name)
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

test('a slow network loads no font, and the page has the font of the system', { tag: '@wide' }, async ({ page }) => {
  const fonts: string[] = []
  page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()))
  await reportSlowNetwork(page)
  await page.goto('/login')
  await isHydrated(page)
  expect(await headingFont(page)).not.toBe('Geist')
  expect(fonts).toEqual([])
})
