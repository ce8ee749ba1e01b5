import type { Page } from '@playwright/test'
import { chooseByArrow, press, tabTo, type } from '../support/keyboard.ts'
import { enterState } from '../support/states.ts'
import { expect, expectRow, expectToast, isHydrated, resetLink, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function fillInOrder(page: Page, fields: [name: string | RegExp, text: string][]): Promise<void> {
  for (const [name, text] of fields) {
    await tabTo(page, 'textbox', name)
    await type(page, text)
  }
}

test('sign up and recover the password by keyboard alone', { tag: '@wide' }, async ({ page, server }) => {
  const email = `keys-${crypto.randomUUID()}@example.com`
  await page.goto('/login')
  // The browser would follow a link of the prerendered page, and a new page does not move the focus.
  await isHydrated(page)
  await tabTo(page, 'link', 'Sign up')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeFocused()
  await fillInOrder(page, [
    ['Full Name', 'Kay Keys'],
    ['Email', email],
    [/^Password/, 'only by keys'],
    [/^Confirm Password/, 'only by keys'],
  ])
  await press(page, 'Tab')
  await expect(page.getByRole('button', { name: 'Show password' }).last()).toBeFocused()
  await press(page, 'Space')
  await expect(page.getByRole('textbox', { name: /^Confirm Password/ })).toHaveAttribute('type', 'text')
  await tabTo(page, 'button', 'Sign Up')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeFocused()

  await tabTo(page, 'link', 'Forgot your password?')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Password Recovery' })).toBeFocused()
  await fillInOrder(page, [['Email', email]])
  await press(page, 'Enter')
  await expectToast(page, 'Password recovery email sent successfully.')

  await page.goto(await resetLink(server, email))
  await fillInOrder(page, [
    [/^New Password/, 'set by keys'],
    [/^Confirm Password/, 'set by keys'],
  ])
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeFocused()
  await fillInOrder(page, [
    ['Email', email],
    [/^Password/, 'set by keys'],
  ])
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Hi, Kay Keys' })).toBeFocused()
})

test('administer users by keyboard alone', { tag: '@wide' }, async ({ page, newUser, loginAs }) => {
  await loginAs(await newUser({ fullName: 'Root Keys', isSuperuser: true }))
  await tabTo(page, 'link', 'Users')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeFocused()

  const email = `made-by-keys-${crypto.randomUUID()}@example.com`
  await tabTo(page, 'button', 'Add User')
  await press(page, 'Enter')
  await fillInOrder(page, [
    ['Email', email],
    ['Full Name', 'Made By Keys'],
    [/^Password/, 'only by keys'],
    [/^Confirm Password/, 'only by keys'],
  ])
  await tabTo(page, 'checkbox', 'Is active?')
  await press(page, 'Space')
  await press(page, 'Enter')
  await expectToast(page, 'User created successfully.')
  await expectRow(page, { 'Full Name': 'Made By Keys', Email: email, Role: 'User', Status: 'Active' })
  await expect(page.getByRole('button', { name: 'Add User' })).toBeFocused()

  await tabTo(page, 'button', `Actions for ${email}`)
  await press(page, 'Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByRole('textbox', { name: 'Full Name' })).toBeFocused()
  await tabTo(page, 'checkbox', 'Is superuser?')
  await press(page, 'Space')
  await tabTo(page, 'button', 'Save')
  await press(page, 'Enter')
  await expectRow(page, { Email: email, Role: 'Superuser' })
  await expect(page.getByRole('button', { name: `Actions for ${email}` })).toBeFocused()

  await chooseByArrow(page, 'Edit', 'Send Password Reset', 'Deactivate', 'Remove Superuser', 'Delete')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await press(page, 'Tab')
  await press(page, 'Enter')
  await expectToast(page, 'The user was deleted successfully')
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeFocused()
})

test(
  'find a person, open a dialog and enter the rows by keys',
  { tag: '@wide' },
  async ({ page, newUser, loginAs }) => {
    // A slow device renders rows and closes dialogs later than it takes keys.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const grace = await newUser({ fullName: `Grace ${crypto.randomUUID()}` })
    await loginAs(await newUser({ isSuperuser: true }))

    const box = page.getByRole('combobox', { name: 'Search and go to' })
    await press(page, 'Control+k')
    await expect(box).toBeFocused()
    await type(page, grace.email)
    await expect(page.getByRole('option', { name: grace.email })).toHaveAttribute('aria-selected', 'true')
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { name: /^Grace / })).toBeFocused()

    await press(page, 'Control+k')
    await type(page, 'invite')
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Invite User' })
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toBeFocused()
    await expect(dialog.getByText('Email is required')).toBeHidden()
    await press(page, 'Escape')
    await expect(dialog).toBeHidden()

    await press(page, '/')
    await type(page, grace.email)
    await press(page, 'Enter')
    await expectRow(page, { Email: grace.email })
    await expect(page.getByRole('status').first()).toHaveText('1 user')
    await press(page, 'ArrowDown')
    await expect(page.getByRole('link', { name: /^Grace / })).toBeFocused()
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { name: /^Grace / })).toBeFocused()

    await press(page, '?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  },
)

test('WCAG 2.4.11: nothing covers what gets the focus', { tag: '@wide' }, async ({ page, scene }) => {
  await page.setViewportSize({ width: 1280, height: 400 })
  await enterState(page, { name: 'rows', as: 'superuser', url: '/users' }, scene.superuser)
  await page.getByRole('table').waitFor()
  /** Markup of the focused element if something covers its middle. */
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
      const above = document.elementFromPoint(left + width / 2, top + height / 2)
      const isFree = focused === document.body || focused?.contains(above) || above?.contains(focused)
      return isFree ? null : (focused?.outerHTML ?? null)
    })
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let presses = 0; presses < 45; presses += 1) {
      await press(page, key)
      // The tooltip of the button before disappears a moment later.
      await expect.poll(covered).toBeNull()
    }
  }
})
