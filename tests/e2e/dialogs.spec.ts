import { chromium } from '@playwright/test'
import { browserArgs, findTestBrowser } from '../../scripts/find-browser.ts'
import { Api } from '../support/api.ts'
import { boxOf, dialogBody, end, middle } from '../support/boxes.ts'
import { dialogButton } from '../support/gestures.ts'
import { enterState, stateOf } from '../support/states.ts'
import { expect, expectRow, rendered, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test(
  'Back closes a dialog, Forward opens it, and a reload keeps it; all ask before they discard text',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, { name: 'users', as: 'superuser', url: '/users?q=person' }, scene.superuser)
    await page.getByRole('button', { name: 'Add User' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add User' })
    await expect(dialog).toBeVisible()
    await expect(page).toHaveURL(/\/users\?q=person&add$/)
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/users\?q=person$/)
    await page.goForward()
    await expect(dialog).toBeVisible()
    await page.reload()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/users\?q=person$/)

    // The second click comes before the dialog is visible. It must not add a history entry.
    await page.getByRole('button', { name: 'Add User' }).evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await dialog.getByLabel('Email').pressSequentially('Half')
    await page.goBack()
    await page.getByRole('button', { name: 'Keep Editing' }).click()
    await expect(dialog.getByLabel('Email')).toBeFocused()
    await expect(page).toHaveURL(/\/users\?q=person&add$/)
    const question = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => location.reload()))
    expect((await question).type()).toBe('beforeunload')
    await (await question).dismiss()
    await expect(dialog.getByLabel('Email')).toHaveValue('Half')
    await page.goBack()
    await page.getByRole('button', { name: 'Discard Changes' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/users\?q=person$/)
    await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused()
  },
)

test('a link to a dialog opens it over its list', { tag: '@wide' }, async ({ page, server, newUser, loginAs }) => {
  const ada = await newUser({ isSuperuser: true })
  const { id } = await (await Api.logIn(server.url, await newUser())).get<{ id: string }>('/users/me')
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/v1/users/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  await loginAs(ada)
  await page.goto(`/users?edit=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await dialog.getByLabel('Full Name').fill('By a link')
  const save = dialog.getByRole('button', { name: 'Save' })
  const widthOfSave = () => save.evaluate((button: HTMLElement) => button.offsetWidth)
  const width = await widthOfSave()
  await page.keyboard.press('Enter')
  await expect(save).toHaveAttribute('aria-busy', 'true')
  expect(await widthOfSave()).toBe(width)
  held.resolve()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectRow(page, { 'Full Name': 'By a link' })
  await expect(page).toHaveURL(/\/users$/)
})

test('a dialog moves no page beside a classic scroll bar', { tag: '@wide' }, async ({ server, scene }) => {
  const browser = await chromium.launch({
    executablePath: findTestBrowser(),
    args: browserArgs,
    ignoreDefaultArgs: ['--hide-scrollbars'],
  })
  try {
    const viewport = { width: 1280, height: 480 }
    const page = await browser.newPage({ baseURL: server.url, reducedMotion: 'reduce', viewport })
    const widthOfMain = () => page.locator('main').evaluate((main) => main.getBoundingClientRect().width)
    await page.addInitScript((token) => localStorage.setItem('access_token', token ?? ''), scene.superuser)
    for (const url of ['/users?q=niklaus', '/users']) {
      await page.goto(url)
      await page.getByRole('table').waitFor()
      const width = await widthOfMain()
      await dialogButton('Add User')(page)
      expect(await widthOfMain(), url).toBe(width)
    }
  } finally {
    await browser.close()
  }
})

test('Go back on the not-found page always leads to a page', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/nowhere')
  await expect(page).toHaveTitle('Page not found - Steward')
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
  // This path is not valid UTF-8.
  await page.goto('/%E0%A4%A')
  await page.goBack()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('the button that closes a dialog is level with its title, and ends with its content', async ({ page, scene }) => {
  const icon = page.getByRole('dialog').getByRole('button', { name: 'Close' }).locator('svg')
  await enterState(page, stateOf('add-user'), scene.superuser)
  const title = page.getByRole('heading', { name: 'Add User' })
  await expect.poll(async () => middle(await boxOf(icon)) - middle(await boxOf(title))).toBe(0)
  // A sheet is still sliding in.
  const name = page.getByRole('textbox', { name: 'Full Name' })
  await expect.poll(async () => end(await boxOf(icon)) - end(await boxOf(name))).toBe(0)
  await enterState(page, stateOf('palette'), scene.superuser)
  const field = page.getByRole('combobox', { name: 'Search and go to' })
  await expect.poll(async () => middle(await boxOf(icon)) - middle(await boxOf(field))).toBe(0)
})

test(
  'the dialog of a user fits a laptop, with short fields side by side',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, stateOf('edit-user'), scene.superuser)
    const dialog = page.getByRole('dialog')
    const body = dialogBody(dialog)
    const passwords = dialog.locator('[name=password], [name=confirm_password]')
    await expect(passwords).toHaveCount(2)
    for (const [width, areBeside] of [
      [1280, true],
      [640, true],
      [600, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      expect(await body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), `${width}`).toBe(0)
      // Both at once, because the dialog is moving while it opens.
      const [first, second] = await passwords.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
      expect(first === second, `at ${width} px`).toBe(areBeside)
    }
  },
)

test('the palette’s search box stays where it is while one types', { tag: '@wide' }, async ({ page, scene }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await enterState(page, stateOf('palette'), scene.superuser)
  const box = page.getByRole('dialog').getByRole('combobox')
  await rendered(page)
  const before = await box.boundingBox()
  const options = page.getByRole('dialog').getByRole('option')
  const all = await options.count()
  for (const text of ['se', 'no such thing', 'person']) {
    await box.fill(text)
    await expect.poll(() => options.count()).not.toBe(all)
    await page.getByText(/Searching/).waitFor({ state: 'hidden' })
    expect(await box.boundingBox(), text).toEqual(before)
  }
})

test(
  'the preview of an import breaks an address at its @, not at a hyphen',
  { tag: '@wide' },
  async ({ page, scene }) => {
    await enterState(page, stateOf('import-users'), scene.superuser)
    await page.getByLabel('File content').fill('email\nwolfeschlegelsteinhausen@bergerdorff-welt-handels.example')
    await page.getByRole('button', { name: 'Preview' }).click()
    const lines = await page.getByRole('cell', { name: /^wolfe/ }).evaluate((cell) => {
      const range = document.createRange()
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      return Array.from({ length: 2 }, () => {
        range.selectNodeContents(walker.nextNode() ?? cell)
        return [range.toString(), range.getClientRects().length]
      })
    })
    expect(lines).toEqual([
      ['wolfeschlegelsteinhausen@', 1],
      ['bergerdorff-welt-handels.example', 1],
    ])
  },
)
