import {
  beginSession,
  expect,
  expectToast,
  goTo,
  logIn,
  openUserMenu,
  passwordField,
  resetLink,
  test,
} from './fixtures.ts'

test('sign up, log in, delete the account', { tag: '@wide' }, async ({ page, expectedConsoleErrors }) => {
  const email = 'grace@example.com'
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill(email)
  await passwordField(page, 'Password').fill('nanoseconds')
  await passwordField(page, 'Confirm Password').fill('nanoseconds')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeFocused()

  await logIn(page, { email, password: 'nanoseconds' })
  await openUserMenu(page, 'Grace Hopper')
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Danger Zone' }).click()
  await expect(page).toHaveURL(/\/settings\?tab=dangerzone$/)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Your account has been successfully deleted')
  await expect(page).toHaveURL(/\/login$/)

  expectedConsoleErrors.push(/status of 400/)
  await page.getByLabel('Email').fill(email)
  await passwordField(page).fill('nanoseconds')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
})

test(
  'recover a forgotten password with the link in the mail',
  { tag: '@wide' },
  async ({ page, server, newUser, expectedConsoleErrors }) => {
    const { email, fullName } = await newUser()
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // Both pages have an email field, so the test waits for the second page.
    await expect(page.getByRole('heading', { name: 'Password Recovery' })).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectToast(page, 'Password recovery email sent successfully.')

    const link = await resetLink(server, email)

    expectedConsoleErrors.push(/status of 40[01]/)
    await page.evaluate(() => localStorage.setItem('access_token', 'ended long ago'))
    await page.goto(link)
    await passwordField(page, 'New Password').fill('remembered now')
    await passwordField(page, 'Confirm Password').fill('remembered now')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expectToast(page, 'Password updated successfully.')
    await expect(page).toHaveURL(/\/login$/)
    await logIn(page, { email, password: 'remembered now' })
    await expect(page.getByRole('heading', { name: `Hi, ${fullName}` })).toBeVisible()

    await page.evaluate(() => localStorage.clear())
    await page.goto(link)
    await passwordField(page, 'New Password').fill('a second time')
    await passwordField(page, 'Confirm Password').fill('a second time')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expectToast(page, 'Invalid token')
  },
)

test(
  'change name and password in the settings: other sessions end, this one stays',
  { tag: '@wide' },
  async ({ page, otherPage: other, server, newUser, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 40[01]/)
    const ada = await newUser()
    await beginSession(other, server, ada)
    await loginAs(ada)
    await page.goto('/settings')
    await page.getByLabel('Full Name').fill('Countess Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'User updated successfully.')

    await page.getByRole('tab', { name: 'Password' }).click()
    await passwordField(page, 'Current Password').fill('not this one')
    await passwordField(page, 'New Password').fill('a new password')
    await passwordField(page, 'Confirm Password').fill('a new password')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Incorrect password')
    await passwordField(page, 'Current Password').fill(ada.password)
    await page.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Password updated successfully.')

    await goTo(page, 'Dashboard')
    await expect(page.getByRole('heading', { name: 'Hi, Countess Lovelace' })).toBeVisible()
    await other.goto('/settings')
    await expect(other).toHaveURL(/\/login$/)
  },
)
