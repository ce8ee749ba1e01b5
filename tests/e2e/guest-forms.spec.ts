import { boxOf, middle } from '../support/boxes.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, isHydrated, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('messages move nothing at any width, and are nearer to their field than to others', async ({ page, scene }) => {
  await enterState(page, stateOf('signup'), scene.visitor)
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
  await enterState(page, stateOf('signup'), scene.visitor)
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

test('a phone of 320 px has a link beside the label of the password', { tag: '@phone' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await enterState(page, stateOf('login'), scene.visitor)
  const label = page.getByText('Password', { exact: true })
  const link = page.getByRole('link', { name: 'Forgot your password?' })
  expect(Math.abs(middle(await boxOf(link)) - middle(await boxOf(label)))).toBeLessThan(4)
})
