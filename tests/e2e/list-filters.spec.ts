import { boxOf, middle } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

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
    await enterState(page, stateOf('users'), scene.superuser)
    const middles = (await Promise.all(controls.map(boxOf))).map(middle)
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

test(
  'one filter with two values leaves the filters of a table in one line',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await enterState(page, { ...stateOf('users'), url: '/users?status=active,inactive' }, scene.superuser)
    const filters = ['Role', /^Status/, 'Last active', 'Created', 'Sort'].map((name) => page.getByLabel(name).first())
    const middles = (await Promise.all(filters.map(boxOf))).map(middle)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
  },
)

test('two filters and a search leave the toolbar of a table in one line', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await changeRows(page, 'users/?*', {}, { count: 1_000_000 })
  for (const filters of ['role=user&status=active', 'role=user&idle_days=90']) {
    await enterState(page, { ...stateOf('users'), url: `/users?q=e&${filters}` }, scene.superuser)
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    expect(await boxOf(page.getByRole('search')), filters).toMatchObject({ height: 36 })
  }
})

test('a range of days leaves the toolbar of a table in one line', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const search of ['', '&q=e']) {
    const url = `/users?created_from=2020-10-10&created_to=2030-10-20${search}`
    await enterState(page, { ...stateOf('users'), url }, scene.superuser)
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
