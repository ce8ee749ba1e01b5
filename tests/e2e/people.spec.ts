import { resources } from '../../src/lib/resources.ts'
import { boxOf } from '../support/boxes.ts'
import { superuser } from '../support/running-server.ts'
import {
  beginSession,
  expect,
  expectRow,
  expectToast,
  forgetSession,
  goTo,
  logIn,
  passwordField,
  test,
} from './fixtures.ts'

const heading = (name: string) => ({ level: 1, name }) as const

test(
  'an invited user accepts and logs in; the link works once',
  { tag: '@wide' },
  async ({ page, otherPage: other, loginAs, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 400/)
    const email = `invited-${crypto.randomUUID()}@example.com`
    await loginAs(superuser)
    await page.goto('/users')
    await page.getByRole('button', { name: 'Invite User' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite User' })
    await dialog.getByLabel('Email').fill(email)
    // A single address takes one line, as in the field below it.
    const heights = ['Email', 'Full Name'].map(async (name) => (await boxOf(dialog.getByLabel(name))).height)
    expect(new Set(await Promise.all(heights)).size).toBe(1)
    await dialog.getByRole('button', { name: 'Send Invitation' }).click()
    const link = await dialog.getByLabel('Invitation link').inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    await page.goto(`/users?q=${email}`)
    await expectRow(page, { Email: email, Status: 'Invited' })

    const { pathname, search } = new URL(link)
    await other.goto(pathname + search)
    await expect(other.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    await other.getByLabel('Full Name').fill('Grace Hopper')
    await passwordField(other, 'New Password').fill('nanoseconds')
    await passwordField(other, 'Confirm Password').fill('nanoseconds')
    await other.getByRole('button', { name: 'Set Password' }).click()
    await expect(other.getByRole('heading', { name: 'Login to your account' })).toBeFocused()
    await logIn(other, { email, password: 'nanoseconds' })

    await page.reload()
    await expectRow(page, { Email: email, Status: 'Active' })
    await forgetSession(page)
    await page.goto(pathname + search)
    await passwordField(page, 'New Password').fill('a second time')
    await passwordField(page, 'Confirm Password').fill('a second time')
    await page.getByRole('button', { name: 'Set Password' }).click()
    await expectToast(page, 'Invalid token')
  },
)

test(
  'open a user’s page from the list, end the sessions, edit and delete the user',
  { tag: '@wide' },
  async ({ page, otherPage: other, server, newUser, loginAs, expectedConsoleErrors }) => {
    // The page may request data of the deleted account.
    expectedConsoleErrors.push(/status of 40[14]/)
    const { email, password } = await newUser({ fullName: 'Barbara Liskov' })
    await beginSession(other, server, { email, password })
    await loginAs(superuser)
    await page.goto(`/users?q=${email}`)
    await page.getByRole('link', { name: 'Barbara Liskov' }).click()
    await expect(page.getByRole('heading', heading('Barbara Liskov'))).toBeFocused()
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText(email)).toBeVisible()
    await expect(page).toHaveTitle(`${email} - Steward`)
    for (const { tag } of resources) await expect(page.getByRole('link', { name: `0 ${tag}` })).toBeVisible()
    await expect(page.getByRole('table', { name: 'History' }).getByText('Account created')).toBeVisible()

    await page.getByRole('button', { name: 'End All Sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End All Sessions' }).click()
    await expect(page.getByText('Not logged in anywhere.')).toBeVisible()
    await other.goto('/settings')
    await expect(other.getByRole('heading', { name: 'Login to your account' })).toBeVisible()

    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit User' })
    await dialog.getByLabel('Full Name').fill('Professor Liskov')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', heading('Professor Liskov'))).toBeVisible()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'The user was deleted successfully')
    await expect(page.getByRole('heading', heading('Users'))).toBeVisible()
    await expect(page).toHaveURL(/\/users$/)
  },
)

test(
  'the audit log shows actions, and its filters are in the URL',
  { tag: '@wide' },
  async ({ page, newUser, loginAs }) => {
    const { email } = await newUser()
    await loginAs(superuser)
    await goTo(page, 'Audit Log')
    await expect(page.getByRole('heading', heading('Audit Log'))).toBeVisible()
    const finder = page.getByRole('combobox', { name: 'Find events, people or details' })
    await finder.fill('account cr')
    await finder.press('Enter')
    await expect(page).toHaveURL(/\/audit\?action=account-create$/)
    await expectRow(page, { Event: 'Account created', Who: superuser.email, Whom: email })
    await page.getByLabel('Time').selectOption('From … to …')
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await expect(page.getByRole('heading', { name: 'No entries found' })).toBeVisible()
    await page.goBack()
    await expectRow(page, { Event: 'Account created', Whom: email })

    await page.getByRole('link', { name: email }).first().click()
    await page.getByRole('link', { name: 'Show all in the audit log' }).click()
    await expect(page).toHaveURL(/\/audit\?subject_id=[\w-]+$/)
    await expect(page.getByText(`Done to ${email}`)).toBeVisible()
    await page.getByRole('button', { name: 'Show events about everyone' }).click()
    await expect(page).toHaveURL(/\/audit$/)
  },
)
