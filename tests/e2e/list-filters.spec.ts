import type { Locator } from '@playwright/test'
import { boxOf, headingFont, middle } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function expectOneLine(controls: Locator[]): Promise<void> {
  const middles = (await Promise.all(controls.map(boxOf))).map(middle)
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
}

test('tools of the list of users at 768 px and 640 px', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await enterState(page, stateOf('users'), scene.superuser)
  const filters = page.getByRole('button', { name: 'Filters' })
  const box = page.getByRole('row').nth(1).getByRole('checkbox')

  await test.step('from 768 px, the filters are in one line with the search, and cards have boxes', async () => {
    await expectOneLine([
      page.getByRole('searchbox', { name: 'Search users' }),
      page.getByLabel('Role'),
      page.getByLabel('Status'),
      page.getByLabel('Last active'),
      page.getByRole('button', { name: 'Sort' }),
      page.getByRole('button', { name: 'More actions', exact: true }),
    ])
    await expect(filters).toBeHidden()
    await expect(box).toBeVisible()
  })

  await test.step('a tooltip of an icon is inside the window', async () => {
    await page.setViewportSize({ width: 768, height: 1024 })
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

  await test.step('at 640 px, the filters are in a sheet, and cards have no boxes', async () => {
    await page.setViewportSize({ width: 640, height: 1024 })
    await expect(filters).toBeVisible()
    await expect(page.getByLabel('Role')).toBeHidden()
    await expect(box).toBeHidden()
  })
})

test(
  'the search keeps its place when filters are chosen, and so do tools over a table',
  { tag: '@wide' },
  async ({ page, scene }) => {
    const search = page.getByRole('searchbox', { name: 'Search users' })
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await enterState(page, stateOf('users'), scene.superuser)
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

test('filters and a search leave the toolbar of a table in one line', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await changeRows(page, 'users/?*', {}, { count: 1_000_000 })
  // The letters of other fonts are wider.
  const open = (search: string) =>
    expect(async () => {
      await enterState(page, { ...stateOf('users'), url: `/users?${search}` }, scene.superuser)
      expect(await headingFont(page)).toBe('Geist')
    }).toPass()
  const toolbar = page.getByRole('search')
  const clear = page.getByRole('button', { name: 'Clear filters' })

  await test.step('one filter with two values', async () => {
    await open('status=active,inactive')
    await expectOneLine(
      ['Role', /^Status/, 'Last active', 'Created', 'Sort'].map((name) => page.getByLabel(name).first()),
    )
  })

  for (const filters of ['role=user&status=active', 'role=user&idle_days=90'])
    await test.step(`a search and ${filters}`, async () => {
      await open(`q=e&${filters}`)
      await clear.waitFor()
      expect(await boxOf(toolbar)).toMatchObject({ height: 36 })
    })

  for (const search of ['', '&q=e'])
    await test.step(`a range of days${search}`, async () => {
      await open(`created_from=2020-10-10&created_to=2030-10-20${search}`)
      await expect(page.getByLabel('From')).toBeVisible()
      await expect(clear).toHaveCount(search === '' ? 0 : 1)
      expect(await boxOf(toolbar)).toMatchObject({ height: 36 })
    })
})
