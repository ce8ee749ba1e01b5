import type { Locator, Page } from '@playwright/test'
import { boxOf, dialogBody } from '../support/boxes.ts'
import { itemSheets } from '../support/items/states.ts'
import type { makeScene } from '../support/scene.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, rendered, test } from './fixtures.ts'

type Scene = Awaited<ReturnType<typeof makeScene>>

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const finishAnimations = (dialog: Locator) =>
  dialog.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))

/** @param away where the sheet slides in from, as CSS */
async function openSheet(page: Page, name: string, scene: Scene, away: string): Promise<Locator> {
  const state = stateOf(name)
  await enterState(page, state, scene[state.as])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCSS('animation-name', 'slide-in')
  await expect(dialog).toHaveCSS('--away', away)
  await finishAnimations(dialog)
  return dialog
}

/** @param by pixels to the right and down @param from pixels above the lower edge of the element */
async function swipe(page: Page, selector: string, by: { right?: number; down?: number }, from = 120): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const box = await boxOf(page.locator(selector))
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) => {
    const x = box.x + 12 + (by.right ?? 0) * (part ?? 0)
    const y = box.y + box.height - from + (by.down ?? 0) * (part ?? 0)
    return client.send('Input.dispatchTouchEvent', { type, touchPoints: part === undefined ? [] : [{ x, y }] })
  }
  await touch('touchStart', 0)
  for (let step = 1; step <= 10; step += 1) await touch('touchMove', step / 10)
  await touch('touchEnd')
}

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
      const dialog = await openSheet(page, name, scene, 'translateX(100%)')
      const { x, y, width, height } = await boxOf(dialog)
      expect([x + width, y, height]).toEqual([390, 0, 844])
      const cancel = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox()
      expect(cancel?.y).toBeGreaterThan(844 - 80)
      const body = dialogBody(dialog)
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
      const dialog = await openSheet(page, name, scene, 'translateY(100%)')
      const { x, y, width, height } = await boxOf(dialog)
      expect([x, width, y + height]).toEqual([0, 390, 844])
      expect(height).toBeLessThan(600)
    },
  )
}

test('the form of a user on a phone', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, stateOf('add-user'), scene.superuser)
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Full Name').fill('Half written')

  await test.step('an on-screen keyboard hides neither the focused field nor the buttons', async () => {
    await dialog.getByLabel('Is active?').focus()
    await page.setViewportSize({ width: 390, height: 420 })
    await expect(dialog.getByLabel('Is active?')).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport()
    await dialog.getByLabel('Email').focus()
    await expect(dialog.getByLabel('Email')).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport()
  })

  await test.step('a line appears under the head when the form is scrolled', async () => {
    await page.setViewportSize({ width: 390, height: 420 })
    await finishAnimations(dialog)
    const body = dialogBody(dialog)
    await body.evaluate((element) => (element.scrollTop = 0))
    await rendered(page)
    const { x, y } = await boxOf(body)
    const edge = () => page.screenshot({ clip: { x: x + 2, y: Math.round(y), width: 8, height: 2 } })
    const before = await edge()
    await body.evaluate((element) => (element.scrollTop = 40))
    await expect.poll(async () => (await edge()).equals(before)).toBe(false)
  })

  await test.step('rotating the phone keeps typed text', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await rendered(page)
    await page.setViewportSize({ width: 844, height: 390 })
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Half written')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport()
  })

  await test.step('SPEC 9: the sheet closes when it is swiped over a quarter of its width', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await rendered(page)
    await swipe(page, '[role=dialog]', { right: 60 })
    await expect(dialog).toHaveCSS('transform', /none|matrix\(1, 0, 0, 1, 0, 0\)/)
    await expect(dialog.getByLabel('Full Name')).toHaveValue('Half written')
    await swipe(page, '[role=dialog]', { right: 200 })
    await expect(dialog).toBeHidden()
  })
})

test('the sheet of filters', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, { name: 'users-active', as: 'superuser', url: '/users?status=active' }, scene.superuser)
  const sheet = page.getByRole('dialog', { name: 'Filters' })

  await test.step('the page stays where it is behind it', async () => {
    const row = page.locator('[data-row]').first()
    const before = await boxOf(row)
    await page.getByRole('button', { name: 'Filters' }).click()
    await sheet.waitFor()
    expect(await boxOf(row)).toEqual(before)
  })

  await test.step('it closes with a swipe down', async () => {
    await finishAnimations(sheet)
    const { y, width, height } = await boxOf(sheet)
    expect([y + height, width]).toEqual([844, 390])
    await swipe(page, '[role=dialog]', { down: 40 }, height - 24)
    await expect(sheet).toHaveCSS('transform', /none|matrix\(1, 0, 0, 1, 0, 0\)/)
    await swipe(page, '[role=dialog]', { down: height / 2 }, height - 24)
    await expect(sheet).toBeHidden()
  })
})

test('the sidebar’s sheet closes with a swipe to the left', { tag: '@phone' }, async ({ page, scene }) => {
  await enterState(page, stateOf('sidebar-sheet'), scene.superuser)
  const sheet = page.getByRole('dialog', { name: 'Sidebar' })
  expect((await boxOf(sheet)).width).toBeCloseTo(288, 1)
  await finishAnimations(sheet)
  await swipe(page, '[role=dialog] nav', { right: -200 })
  await expect(sheet).toBeHidden()
})

test(
  'on a phone on its side, a form has the whole height and a low heading',
  { tag: '@phone' },
  async ({ page, scene }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 844, height: 390 })
    await enterState(page, stateOf('edit-user'), scene.superuser)
    const dialog = page.getByRole('dialog')
    await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(390)
    const { y = 0, height = 0 } = (await dialog.getByRole('heading', { name: 'Edit User' }).boundingBox()) ?? {}
    expect(height).toBeGreaterThan(0)
    expect(y + height / 2).toBeLessThan(25)
  },
)
