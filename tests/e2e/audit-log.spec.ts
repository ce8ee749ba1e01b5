import { boxOf, firstTime } from '../support/boxes.ts'
import { changeRows } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a note of a filter is as high as the controls beside it', async ({ page, scene }) => {
  await enterState(page, { ...stateOf('audit'), url: '/audit?result=done' }, scene.superuser)
  const note = page.getByText('Succeeded').last().locator('xpath=../..')
  expect((await boxOf(note)).height).toBe((await boxOf(page.getByRole('combobox', { name: /^Find/ }))).height)
})

test('the audit log on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  await changeRows(page, 'audit/*', {
    actor: { id: crypto.randomUUID(), email: 'grace.brewster.hopper@example.com' },
    subject: { id: crypto.randomUUID(), email: 'augusta.ada.king.countess.of.lovelace@example.com' },
  })
  await enterState(page, stateOf('audit'), scene.superuser)

  await test.step('an entry is two lines', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    const row = page.getByRole('row').nth(1)
    const links = await row.getByRole('link').evaluateAll((all) => all.map((link) => link.getBoundingClientRect()))
    expect(links).toHaveLength(2)
    expect(links[1]).toMatchObject({ y: links[0]?.y, height: 44 })
    expect((await boxOf(row)).height).toBeLessThan(44 + 50)
  })

  await test.step('a filter by time is beside the search', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const finder = await boxOf(page.getByRole('combobox', { name: 'Find events, people or details' }))
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Today')
    await expect(page).toHaveURL(/last=today$/)
    expect(finder.width).toBeGreaterThan(250)
  })
})

test('the audit log in a table', { tag: '@wide' }, async ({ page, scene }) => {
  await enterState(page, stateOf('audit'), scene.superuser)

  await test.step('times are on one line and not cut', async () => {
    const { height, cut } = await firstTime(page)
    expect(height).toBeLessThan(25)
    expect(cut).toBe(0)
  })

  await test.step('the search for a person stays where it is when one is chosen', async () => {
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
})

test('entries of the audit log with long and short details', { tag: '@wide' }, async ({ page, scene }) => {
  const email = `${'long'.repeat(12)}@example.com`
  const address = '2001:db8:1234:5678:9abc:def0:1234:5678'
  const party = { id: crypto.randomUUID(), email }
  await page.route('**/api/v1/audit/*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { data: object[] }
    const changes = [
      { actor: party, subject: party, address, details: { id: party.id, name: 'long'.repeat(50) } },
      { details: { full_name: { from: 'Ada', to: 'Ada King' } } },
      // Texts are short, because their widths depend on the font.
      { details: { filter: { q: 'a' }, number: 2 } },
    ]
    const data = list.data.map((entry, index) => ({ ...entry, ...changes[index] }))
    await route.fulfill({ response, json: { ...list, data } })
  })
  await enterState(page, stateOf('audit'), scene.superuser)
  const row = page.getByRole('row')
  const [long, changed, short] = [row.nth(1), row.nth(2), row.nth(3)]

  await test.step('a long entry is one line until it is opened', async () => {
    const cut = (text: string) =>
      long
        .getByTitle(text)
        .evaluateAll((all) =>
          all.some((cell) =>
            [cell, ...cell.children].some(
              ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
            ),
          ),
        )
    expect((await boxOf(long)).height).toBeLessThan(45)
    expect([await cut(email), await cut(address)]).toEqual([true, true])
    await long.getByRole('button').click()
    expect((await boxOf(long)).height).toBeGreaterThan(45)
    expect([await cut(email), await cut(address)]).toEqual([false, false])
  })

  await test.step('details are one line of text', async () => {
    await short.getByRole('button').click()
    const parts = short.getByRole('list', { name: 'Details' }).getByRole('listitem')
    const tops = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top))
    expect(tops.length).toBeGreaterThan(1)
    expect(new Set(tops).size).toBe(1)
  })

  await test.step('only narrow cards hide the details of a closed entry', async () => {
    for (const [width, isShown] of [
      [1280, true],
      [1024, true],
      [390, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect(changed.getByLabel('Details')).toBeVisible({ visible: isShown })
    }
  })
})
