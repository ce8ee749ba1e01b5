import type { Page } from '@playwright/test'
import { Api } from '../support/api.ts'
import { hostileStrings } from '../support/hostile-strings.ts'
import { showAllColumns } from '../support/journey.ts'
import { anyResource, makeRow } from '../support/samples.ts'
import { screenOf } from '../support/screen-sample.ts'
import { expect, goTo, test } from './fixtures.ts'

const hostile = hostileStrings(500)

async function watch(page: Page) {
  const signs: string[] = []
  page.on('dialog', (dialog) => {
    signs.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => signs.push('a window'))
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url())
    if (host.includes('evil') || pathname === '/hacked.js') signs.push(request.url())
  })
  return async (title: string) => {
    await expect(page).toHaveTitle(title)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(signs).toEqual([])
  }
}

function readTable(page: Page) {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('tbody tr'), (row) => ({
      elements: row.querySelectorAll('*').length,
      cells: Object.fromEntries(
        Array.from(row.querySelectorAll<HTMLElement>('td'), (cell) => [cell.dataset['label'], cell.textContent]),
      ),
      action: row.querySelector('[data-label=Actions] button')?.getAttribute('aria-label'),
    })),
  )
}

for (const sample of anyResource) {
  const { table, searched } = sample
  const [name] = searched
  const { title: heading, fields } = screenOf(table)
  const [{ label }] = fields
  const long = sample.fields.find(({ maxLength }) => maxLength > 1_000)
  const textsOf = (text: string) => ({ [name]: text, ...(long && { [long.name]: text }) })

  test(
    `500 attack strings in ${table} are shown literally and have no effect`,
    { tag: '@wide' },
    async ({ page, server, newUser, loginAs }) => {
      const ada = await newUser()
      const api = await Api.logIn(server.url, ada)
      // The server stores only a few here. server/test/attacks-injection.test.ts stores all.
      const kept = hostile.slice(0, 20)
      for (const text of kept) await api.createRow(sample, textsOf(text))
      const mocked = hostile.map((text) => makeRow(table, textsOf(text)))

      const nothingHappened = await watch(page)
      await loginAs(ada)
      await goTo(page, heading)
      await expect(page.locator('tbody tr')).toHaveCount(kept.length)
      expect((await readTable(page)).map(({ cells }) => cells[label])).toEqual(kept.toReversed())

      await page.route(`**/api/v1/${table}/?*`, (route) =>
        route.fulfill({ json: { data: mocked, count: mocked.length } }),
      )
      await page.route(`**/api/v1/${table}/*-*`, (route) =>
        route.fulfill({ json: mocked.find(({ id }) => route.request().url().endsWith(id)) ?? {} }),
      )
      await page.reload()
      await expect(page.locator('tbody tr')).toHaveCount(mocked.length)
      await showAllColumns(page)
      const rows = await readTable(page)
      for (const column of [label, ...(long ? [long.label] : [])])
        expect(rows.map(({ cells }) => cells[column])).toEqual(hostile)
      expect(rows.map(({ action }) => action)).toEqual(hostile.map((text) => `Actions for ${text}`))
      expect(new Set(rows.map(({ elements }) => elements)).size).toBe(1)

      for (const index of [1, 3, 12, 13]) {
        await page
          .locator('tbody tr')
          .nth(index)
          .getByRole('button', { name: /^Actions for/ })
          .click()
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        const input = page.getByRole('dialog').getByLabel(new RegExp(`^${label}( \\*)?$`))
        await expect(input).toHaveValue(oneLine(hostile[index]))
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await nothingHappened(`${heading} - Steward`)
    },
  )
}

function oneLine(text = ''): string {
  return text.replaceAll(/[\r\n]/g, '')
}

test(
  'attack strings as names are shown literally in the table and the greeting',
  { tag: '@wide' },
  async ({ page, server, newUser, loginAs }) => {
    const root = await newUser({ isSuperuser: true })
    const api = await Api.logIn(server.url, root)
    const nothingHappened = await watch(page)
    const self = await api.get<{ id: string; full_name: string }>('/users/me')
    const others = hostile.map((full_name, index) => ({
      ...self,
      id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      full_name,
    }))
    await page.route('**/api/v1/users/?*', (route) => route.fulfill({ json: { data: others, count: others.length } }))
    await loginAs(root)
    await goTo(page, 'Users')
    await expect(page.locator('tbody tr')).toHaveCount(others.length)
    const rows = await readTable(page)
    expect(rows.map(({ cells }) => cells['Full Name'])).toEqual(hostile)
    expect(new Set(rows.map(({ elements }) => elements)).size).toBe(1)

    for (const name of hostile.slice(0, 8)) {
      await page.route('**/api/v1/users/me', (route) => route.fulfill({ json: { ...self, full_name: name } }))
      await page.goto('/')
      expect(await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.textContent)).toBe(
        `Hi, ${name}`,
      )
      await page.unroute('**/api/v1/users/me')
    }
    await nothingHappened('Dashboard - Steward')
  },
)

test(
  'attack strings in error messages are shown literally',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 4\d\d/)
    let response = ''
    await page.route('**/api/v1/users/invite', (route) => route.fulfill({ status: 409, json: { detail: response } }))
    await loginAs(await newUser({ isSuperuser: true }))
    const nothingHappened = await watch(page)
    await goTo(page, 'Users')
    await page.getByRole('button', { name: 'Invite User' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('x@example.com')
    for (const detail of hostile.slice(0, 5)) {
      response = detail
      await dialog.getByRole('button', { name: 'Send Invitation' }).click()
      const toasts = page.locator('[data-sonner-toast] [data-title]')
      await expect.poll(async () => (await toasts.allTextContents()).includes(detail)).toBe(true)
    }
    await nothingHappened('Users - Steward')
  },
)

const targets = [
  ...anyResource.map(({ table }) => `/${table}?page=<script>window.hacked=1</script>`),
  '/settings?tab=javascript:window.hacked=1',
  '/reset-password?token="><img src=x onerror=window.hacked=1>',
  '/<script>window.hacked=1</script>',
  '/login?redirect=//evil.example&next=javascript:window.hacked=1&returnTo=https://evil.example',
  '//evil/example',
  '/#<img src=x onerror=window.hacked=1>',
]

for (const viewer of ['a visitor', 'a user'])
  test(
    `attacks on ${viewer} by URL run no script and stay on the site`,
    { tag: '@wide' },
    async ({ page, baseURL, newUser, loginAs }) => {
      const nothingHappened = await watch(page)
      const isUser = viewer === 'a user'
      if (isUser) await loginAs(await newUser())
      for (const target of targets.filter((path) => !isUser || !path.startsWith('/reset')))
        await test.step(target, async () => {
          await page.goto(`${baseURL}${target}`)
          // The prerendered page has a heading, too, but not this title.
          await expect(page).toHaveTitle(/ - Steward$/)
          await expect(page.locator('h1').first()).toBeVisible()
          expect(new URL(page.url()).origin).toBe(baseURL)
          await nothingHappened(await page.title())
          expect(await page.title()).not.toContain('hacked')
        })
    },
  )

test('stacked marks in a row do not cover the rows around it', { tag: '@wide' }, async ({ page, scene }) => {
  await page.addInitScript((token) => localStorage.setItem('access_token', token ?? ''), scene.superuser)
  await page.goto('/users?q=person')
  const rows = page.locator('tbody tr')
  await expect(rows.nth(2)).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  // Times change while the test runs.
  await page.addStyleTag({ content: 'time { visibility: hidden }' })
  const aroundSecond = async () => [await rows.nth(0).screenshot(), await rows.nth(2).screenshot()]
  const before = await aroundSecond()
  // Simulates tall combining marks, which few fonts stack.
  await page.addStyleTag({ content: 'tr:nth-child(2) bdi { text-shadow: 0 -50px red, 0 50px red }' })
  expect(await aroundSecond()).toEqual(before)
})
