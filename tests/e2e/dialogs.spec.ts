import { Api } from '../support/api.ts'
import { enterState } from '../support/states.ts'
import { expect, expectRow, goTo, test } from './fixtures.ts'

test('Back closes a dialog, Forward opens it, and a reload keeps it', async ({ page, scene }) => {
  await enterState(page, { name: 'items', as: 'user', url: '/items?page=2' }, scene.user)
  await page.getByRole('button', { name: 'Add Item' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Item' })
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/\/items\?page=2&add$/)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/items\?page=2$/)
  await page.goForward()
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/items\?page=2$/)
})

test('a link to a dialog opens it over its list', async ({ page, server, newUser, loginAs }) => {
  const ada = await newUser()
  const api = await Api.logIn(server.url, ada)
  await api.createItem('Garden plan', 'Beds')
  const { data } = await api.get<{ data: { id: string }[] }>('/items/')
  await loginAs(ada)
  await page.goto(`/items?edit=${data[0]?.id}`)
  await page.getByRole('dialog', { name: 'Edit Item' }).getByLabel('Title').fill('By a link')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectRow(page, { Title: 'By a link' })
  await expect(page).toHaveURL(/\/items$/)
})

for (const [width, height] of [
  [640, 320],
  [844, 390],
] as const) {
  test(
    `the buttons of a deletion are in reach at ${width}x${height}`,
    { tag: '@wide' },
    async ({ page, server, newUser, loginAs }) => {
      const ada = await newUser()
      await (await Api.logIn(server.url, ada)).createItem('Long '.repeat(51).slice(0, 255))
      await loginAs(ada)
      await page.setViewportSize({ width, height })
      await goTo(page, 'Items')
      await page.getByRole('button', { name: /^Actions for Long/ }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete Item' })
      for (const name of ['Cancel', 'Delete'])
        await expect(dialog.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 })
    },
  )
}

test('Go back on the not-found page leads somewhere, however one came to it', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/nowhere')
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
  // Back and forward again: the first entry of the tab now has entries after it.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto('/nowhere/else')
  await page.goBack()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL(/\/login$/)
})
