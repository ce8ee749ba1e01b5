import { chromium } from '@playwright/test'
import { browserArgs, findTestBrowser } from '../../scripts/find-browser.ts'
import { Api } from '../support/api.ts'
import { dialogButton } from '../support/gestures.ts'
import { enterState } from '../support/states.ts'
import { expect, expectRow, test } from './fixtures.ts'

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
