import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { listAction } from '../support/gestures.ts'
import { expect, test } from './fixtures.ts'

async function open(page: Page, token: string | null, url: string): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('access_token', value), token ?? '')
  await page.goto(url)
  await page.getByRole('searchbox').waitFor()
}

const box = (page: Page) => page.getByRole('searchbox')
const status = (page: Page) => page.getByRole('status')

async function holdAnswers(page: Page): Promise<(q: string) => void> {
  const held = new Map<string, PromiseWithResolvers<void>>()
  const of = (q: string) => {
    const answer = held.get(q) ?? Promise.withResolvers<void>()
    held.set(q, answer)
    return answer
  }
  await page.route('**/api/v1/users/?*', async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q')
    if (q !== null) await of(q).promise
    // Throws if the page has cancelled the request.
    await route.continue().catch(() => undefined)
  })
  return (q) => of(q).resolve()
}

test(
  'the search is in the URL: it survives a reload and works as a link',
  { tag: '@wide' },
  async ({ page, scene, otherPage }) => {
    await page.route(/\?skip=50/, (route) => route.fulfill({ json: { data: [], count: 105 } }))
    await open(page, scene.superuser, '/users?page=2')
    await expect(status(page)).toHaveText(/105 users$/)
    await expect(page).toHaveURL(/\?page=2$/)
    await box(page).pressSequentially('GRÁCE hopper')
    await expect(page).toHaveURL(/\/users\?q=GR%C3%81CE\+hopper$/)
    await expect(status(page)).toHaveText('1 user')
    await expect(page.getByRole('link', { name: 'Grace Hopper', exact: true })).toBeVisible()
    await expect(box(page)).toBeFocused()
    await page.reload()
    await expect(box(page)).toHaveValue('GRÁCE hopper')
    await expect(status(page)).toHaveText('1 user')
    await open(otherPage, scene.superuser, page.url())
    await expect(status(otherPage)).toHaveText('1 user')
  },
)

test(
  'Back and Forward restore filters and search; typing adds one history entry',
  { tag: '@wide' },
  async ({ page, scene }) => {
    // Counts only users of the scene, because other tests add more.
    await open(page, scene.superuser, '/users?q=person')
    await page.getByLabel('Role').click()
    await page.getByRole('menuitemcheckbox', { name: 'Superuser' }).click()
    await expect(page).toHaveURL(/\/users\?q=person&role=superuser$/)
    await expect(status(page)).toHaveText('1 user')
    await page.getByRole('menuitemcheckbox', { name: 'Superuser' }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Status').click()
    await page.getByRole('menuitemcheckbox', { name: 'Inactive' }).click()
    await page.keyboard.press('Escape')
    await expect(status(page)).toHaveText('1–2 of 2 users')
    await box(page).press('End')
    await box(page).pressSequentially('3@ex')
    await expect(status(page)).toHaveText('1 user')
    await expect(page).toHaveURL(/\/users\?q=person3%40ex&status=inactive$/)
    await page.goBack()
    await expect(box(page)).toHaveValue('person')
    await expect(page.getByRole('button', { name: 'Status: Any' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Role: Superuser' })).toBeVisible()
    await expect(status(page)).toHaveText('1 user')
    await page.goForward()
    await page.goForward()
    await expect(box(page)).toHaveValue('person3@ex')
    await expect(status(page)).toHaveText('1 user')
  },
)

test('with slow responses, the caret stays and no letter is lost', { tag: '@wide' }, async ({ page, scene }) => {
  await open(page, scene.superuser, '/users')
  const release = await holdAnswers(page)
  const searched = (q: string) =>
    page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === q && request.method() === 'GET')
  const first = searched('hopper')
  await box(page).pressSequentially('hopper')
  await first
  await box(page).press('Home')
  await box(page).pressSequentially('gra')
  release('hopper')
  const last = searched('grace hopper')
  await box(page).pressSequentially('ce ')
  await last
  release('grahopper')
  release('grace hopper')
  await expect(box(page)).toHaveValue('grace hopper')
  await expect(status(page)).toHaveText('1 user')
  expect(await box(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe('grace '.length)
  await expect(box(page)).toBeFocused()
})

test(
  'a filter by a day takes years of four digits, and says if it is not applied',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await open(page, scene.superuser, '/users')
    await page.getByLabel('Created').selectOption('From … to …')
    const from = page.getByLabel('From', { exact: true })
    await from.focus()
    await page.keyboard.type('010226')
    await box(page).focus()
    await expect(page.getByRole('alert')).toHaveText('Not applied. Enter the year with four digits.')
    await expect(page).toHaveURL(/\/users$/)
    await from.focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Backspace']) await page.keyboard.press(key)
    await box(page).focus()
    await expect(page.getByRole('alert')).toHaveText('Not applied. Enter the whole date.')
    await from.focus()
    await page.keyboard.type('01021985')
    await expect(page).toHaveURL(/\/users\?created_from=1985-01-0\dT[^&]*Z$/)
    await expect(page.getByRole('alert')).toBeHidden()
  },
)

test('a change of the status line does not move the table', async ({ page, scene }) => {
  await open(page, scene.superuser, '/users')
  const top = () => page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top + window.scrollY)
  const before = await top()
  await box(page).fill('grace hopper')
  await expect(status(page)).toHaveText('1 user')
  expect(await top()).toBe(before)
})

test('on a phone, the filters and a sort are in a sheet', { tag: '@phone' }, async ({ page, scene }) => {
  await open(page, scene.superuser, '/users?q=person')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Sort by').selectOption('Full Name: A to Z')
  await page.getByRole('button', { name: /^Show \d+ users/ }).click()
  await expect(page).toHaveURL(/sort=full_name$/)
  await expect(page.getByRole('row').nth(1)).toContainText('Alan Turing')
  // Only screen readers find the headings of cards, so these must not take the focus.
  await expect(page.locator('thead button').filter({ visible: true })).toHaveCount(0)
})

test('an export has the matches of all pages', { tag: '@wide' }, async ({ page, scene }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/export?*', async (route) => {
    await held
    await route.continue()
  })
  await open(page, scene.superuser, '/users?q=person&sort=email')
  const button = page.getByRole('button', { name: /^Export/ })
  const saved = page.waitForEvent('download')
  await button.click()
  await expect(button).toHaveAccessibleName('Exporting…')
  release()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
  await expect(button).toHaveAccessibleName('Export CSV')
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  await expect(status(page)).toHaveText(/ users$/)
  const [, count] = /of (\d+) /.exec((await status(page).textContent()) ?? '') ?? []
  expect(lines).toHaveLength(1 + Number(count))
  expect(lines[0]).toMatch(/^\uFEFF(.*,)?id,/)
})

const looks = (checkbox: Locator) =>
  checkbox.evaluate((input) => {
    const { backgroundColor } = getComputedStyle(input)
    const { scale, clipPath } = getComputedStyle(input, '::before')
    return { drawn: `${backgroundColor} ${scale}`, shape: clipPath }
  })

test('a partly selected page looks neither empty nor selected', async ({ page, scene, isMobile }) => {
  await open(page, scene.superuser, '/users')
  if (isMobile) await listAction(page, 'Select')
  const row = page.getByRole('checkbox', { name: 'Select person5@example.com' })
  const ofPage = page.getByRole('checkbox', { name: isMobile ? 'All on this page' : 'Select all on this page' })
  const empty = await looks(row)
  await row.check()
  const checked = await looks(row)
  await expect(ofPage).toHaveJSProperty('indeterminate', true)
  const { drawn, shape } = await looks(ofPage)
  // A shape without a colour would be invisible.
  expect(drawn).not.toBe(empty.drawn)
  expect(shape).not.toBe(checked.shape)
})
