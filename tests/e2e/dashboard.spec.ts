import { enterState, stateOf } from '../support/states.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

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
      const { as, url } = stateOf('dashboard-of-a-superuser')
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

test('names of the newest users', async ({ page, scene }) => {
  await page.route('**/api/v1/users/me/overview', async (route) => {
    const response = await route.fetch()
    const overview = (await response.json()) as { users: { newest: object[] } }
    for (const [index, full_name] of [null, 'Ada Lovelace', 'حديقة: خطة الأحواض والممرات'].entries())
      Object.assign(overview.users.newest[index] ?? {}, { full_name })
    await route.fulfill({ response, json: overview })
  })
  await enterState(page, stateOf('dashboard-of-a-superuser'), scene.superuser)
  const newest = page.getByRole('region', { name: 'Newest users' })
  const names = newest.locator('li bdi')
  await expect(names.filter({ hasText: 'حديقة' })).toBeVisible()

  await test.step('rows of users without a name are as high as others', async () => {
    const rows = newest.getByRole('link', { name: /@|Ada/ })
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(new Set(heights).size).toBe(1)
  })

  await test.step('texts of both directions begin at the same place', async () => {
    const starts = await names.evaluateAll((all) =>
      all.map((name) => {
        const range = document.createRange()
        range.selectNodeContents(name)
        return Math.round(range.getBoundingClientRect().x)
      }),
    )
    expect(new Set(starts).size).toBe(1)
  })
})
