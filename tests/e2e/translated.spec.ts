import { rowAction } from '../support/gestures.ts'
import { openTranslated, translate } from '../support/translate.ts'
import { expect, expectToast, goTo, logIn, passwordField, test } from './fixtures.ts'

// In a translated page, text nodes of React are gone. Uncaught errors fail each test. Only the tests of lists also run
// on a phone, because other pages have the same texts there.

test.beforeEach(({ page }) => translate(page))

test(
  'log in: wrong password, wrong address, right password',
  { tag: '@wide' },
  async ({ page, newUser, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 400/)
    const ada = await newUser({ fullName: 'Ada Lovelace' })
    await page.goto('/login')
    const press = () => page.getByRole('button', { name: 'Login' }).click()
    await page.getByLabel('Email').fill('a@b')
    await press()
    await expect(page.getByText('Invalid email address')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await page.getByLabel('Email').fill(ada.email)
    await passwordField(page).fill('not this one')
    await press()
    await expect(page.getByText('Incorrect email or password')).toBeVisible()
    await expect(page.getByText('Invalid email address')).toBeHidden()
    await press()
    await expect(page.getByText('Incorrect email or password')).toBeVisible()
    await logIn(page, ada)
  },
)

test('load more of the audit log, and open an entry', { tag: '@wide' }, async ({ page, scene }) => {
  await openTranslated(page, scene.superuser, '/audit')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(50)
  const event = page.locator('tbody [data-title] button').first()
  await event.click()
  const time = page.locator('tbody [data-title]').first().getByText(/ UTC$/)
  await expect(time).toBeVisible()
  await event.click()
  await expect(time).toBeHidden()
})

test('a page that fails, and is tried again', { tag: '@wide' }, async ({ page, scene, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/status of 404/)
  let fails = true
  await page.route('**/api/v1/users/?*', (route) =>
    fails ? route.fulfill({ status: 404, json: {} }) : route.fallback(),
  )
  await openTranslated(page, scene.superuser, '/users')
  await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
  await page.getByRole('button', { name: 'Show Error' }).click()
  await page.getByRole('button', { name: 'Hide Error' }).click()
  await expect(page.getByRole('button', { name: 'Show Error' })).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test('people: the palette, a user, a deletion', { tag: '@wide' }, async ({ page, newUser, scene }) => {
  const { email } = await newUser({ fullName: 'Barbara Liskov' })
  await openTranslated(page, scene.superuser, '/')
  await page.getByRole('button', { name: 'Search and go to' }).click()
  const palette = page.getByRole('dialog')
  await palette.getByRole('combobox').fill('nobody of this name')
  await expect(palette.getByText('Nothing found')).toBeVisible()
  await palette.getByRole('combobox').fill(email)
  await palette.getByRole('option', { name: 'Barbara Liskov' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Barbara Liskov' })).toBeVisible()
  await goTo(page, 'Users')
  await page.getByRole('searchbox').fill(email)
  await expect(page.getByRole('status')).toHaveText('1 user')
  await rowAction(page, 'Edit')
  await page.getByLabel('Full Name').fill('Barbara Huberman')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'User updated successfully')
  await rowAction(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'The user was deleted successfully')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
})

test(
  'the settings, and the end of another session',
  { tag: '@wide' },
  async ({ page, newUser, loginAs, otherPage, server }) => {
    const ada = await newUser({ fullName: 'Ada Lovelace' })
    await otherPage.goto(`${server.url}/login`)
    await logIn(otherPage, ada)
    await loginAs(ada)
    await page.goto('/settings')
    await page.getByLabel('Full Name').fill('Ada King')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'User updated successfully')
    await page.goto('/security')
    await page.getByRole('button', { name: 'Log Out Everywhere Else' }).click()
    await expectToast(page, 'All other sessions were ended.')
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  },
)
