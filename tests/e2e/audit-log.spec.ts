import { boxOf } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a phone filters the audit log by time', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, stateOf('audit'), scene.superuser)
  const finder = await boxOf(page.getByRole('combobox', { name: 'Find events, people or details' }))
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Today')
  await expect(page).toHaveURL(/last=today$/)
  expect(finder.width).toBeGreaterThan(250)
})

test('a note of a filter is as high as the controls beside it', async ({ page, scene }) => {
  await enterState(page, { ...stateOf('audit'), url: '/audit?result=done' }, scene.superuser)
  const note = page.getByText('Succeeded').last().locator('xpath=../..')
  expect((await boxOf(note)).height).toBe((await boxOf(page.getByRole('combobox', { name: /^Find/ }))).height)
})

test('an entry of the audit log is two lines on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await changeRows(page, 'audit/*', {
    actor: { id: crypto.randomUUID(), email: 'grace.brewster.hopper@example.com' },
    subject: { id: crypto.randomUUID(), email: 'augusta.ada.king.countess.of.lovelace@example.com' },
  })
  await enterState(page, stateOf('audit'), scene.superuser)
  const row = page.getByRole('row').nth(1)
  const links = await row.getByRole('link').evaluateAll((all) => all.map((link) => link.getBoundingClientRect()))
  expect(links).toHaveLength(2)
  expect(links[1]).toMatchObject({ y: links[0]?.y, height: 44 })
  expect((await boxOf(row)).height).toBeLessThan(44 + 50)
})

test(
  'an entry of the audit log is one line in a table until it is opened',
  { tag: '@wide' },
  async ({ page, scene }) => {
    const email = `${'long'.repeat(12)}@example.com`
    const address = '2001:db8:1234:5678:9abc:def0:1234:5678'
    const party = { id: crypto.randomUUID(), email }
    const details = { id: party.id, name: 'long'.repeat(50) }
    await changeRows(page, 'audit/*', { actor: party, subject: party, address, details })
    await enterState(page, stateOf('audit'), scene.superuser)
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
  await enterState(page, stateOf('audit'), scene.superuser)
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
  await changeRows(page, 'audit/*', { details: { full_name: { from: 'Ada', to: 'Ada King' } } })
  await enterState(page, stateOf('audit'), scene.superuser)
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
  // Texts are short, because their widths depend on the font.
  await changeRows(page, 'audit/*', { details: { filter: { q: 'a' }, number: 2 } })
  await enterState(page, stateOf('audit'), scene.superuser)
  await page.getByRole('row').nth(1).getByRole('button').click()
  const parts = page.getByRole('row').nth(1).getByRole('list', { name: 'Details' }).getByRole('listitem')
  const tops = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top))
  expect(tops.length).toBeGreaterThan(1)
  expect(new Set(tops).size).toBe(1)
})
