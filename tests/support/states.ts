import type { Page } from '@playwright/test'
import {
  answer,
  button,
  dialogButton,
  fill,
  leave,
  listAction,
  listLoaded,
  mistypePasswords,
  rowAction,
  rowMenu,
} from './gestures.ts'
import { itemStates } from './items/states.ts'
import { type Sample, samples } from './samples.ts'
import type { State } from './state.ts'

/** Every screen, dialog and menu, with its invalid, empty, loading and error states. */
export const states: State[] = [
  { name: 'signup', isPictureOnly: true, as: 'visitor', url: '/signup' },
  { name: 'signup-invalid', as: 'visitor', url: '/signup', act: button('Sign Up') },
  {
    name: 'signup-closed',
    as: 'visitor',
    url: '/signup',
    intercept: closeSignUp,
    act: (page) => page.getByText('Sign-up is closed').waitFor(),
  },
  { name: 'login', isPictureOnly: true, as: 'visitor', url: '/login' },
  { name: 'login-invalid', as: 'visitor', url: '/login', act: button('Login') },
  {
    name: 'login-refused',
    isPictureOnly: true,
    as: 'visitor',
    url: '/login',
    act: async (page) => {
      await fill(page, 'Email', 'nobody@example.com')
      await fill(page, 'Password', 'not this one')
      await page.keyboard.press('Enter')
      await page.getByText('Incorrect email or password').waitFor()
    },
  },
  {
    name: 'login-second-step',
    as: 'visitor',
    url: '/login',
    intercept: askForSecondStep({ methods: ['totp', 'recovery_code', 'passkey'], enrol: false }),
    act: async (page) => {
      await logIn(page)
      await page.getByRole('textbox', { name: /^Code/ }).fill('654321')
      await page.getByText('Incorrect code').waitFor()
    },
  },
  {
    name: 'login-enrolment',
    as: 'visitor',
    url: '/login',
    intercept: askForSecondStep({ methods: [], enrol: true }),
    act: async (page) => {
      await logIn(page)
      await page.getByRole('img', { name: /^QR code/ }).waitFor()
    },
  },
  {
    name: 'login-recovery-codes',
    as: 'visitor',
    url: '/login',
    intercept: askForSecondStep({ methods: [], enrol: true }),
    act: async (page) => {
      await logIn(page)
      await page.getByRole('textbox', { name: /^Code/ }).fill('123456')
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    },
  },
  {
    name: 'login-company',
    as: 'visitor',
    url: '/login#oidc_error=connect-first',
    intercept: withCompany(),
    act: (page) => page.getByText('Log in with your password').waitFor(),
  },
  {
    name: 'login-company-only',
    isPictureOnly: true,
    as: 'visitor',
    url: '/login#oidc_error=no-account',
    intercept: withCompany({ password_log_in: false }),
    act: (page) => page.getByText('You have no account here').waitFor(),
  },
  {
    name: 'login-still-at-company',
    isPictureOnly: true,
    as: 'user',
    url: '/',
    intercept: withCompany(),
    act: async (page) => {
      await page.evaluate(() => localStorage.setItem('logged_in_at_provider', '1'))
      const menu = page.getByRole('button', { name: /Ada/ })
      if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      await menu.click()
      await answer('logout', { json: { message: 'Logged out' } })(page)
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByText('You are still logged in').waitFor()
    },
  },
  {
    name: 'login-link',
    as: 'visitor',
    url: '/login#link=x',
    intercept: answer('login/link/account', { json: { email: 'ada@example.com' } }),
    act: (page) => page.getByText('This link logs you in as').waitFor(),
  },
  {
    name: 'no-passwords',
    isPictureOnly: true,
    as: 'visitor',
    url: '/recover-password',
    intercept: withCompany({ password_log_in: false }),
    act: (page) => page.getByText('Log-in with a password is turned off').waitFor(),
  },
  { name: 'recover-password', isPictureOnly: true, as: 'visitor', url: '/recover-password' },
  {
    name: 'recover-password-sent',
    as: 'visitor',
    url: '/recover-password',
    act: async (page) => {
      await fill(page, 'Email', 'nobody@example.com')
      await page.keyboard.press('Enter')
      await page.getByText('Password recovery email sent').waitFor()
    },
  },
  { name: 'reset-password', as: 'visitor', url: '/reset-password?token=x' },
  {
    name: 'reset-password-incomplete',
    isPictureOnly: true,
    as: 'visitor',
    url: '/reset-password',
    act: button('Reset Password'),
  },
  { name: 'accept-invitation', as: 'visitor', url: '/accept-invitation?token=x' },
  { name: 'accept-invitation-logged-in', isPictureOnly: true, as: 'user', url: '/accept-invitation?token=x' },
  { name: 'confirm-email', isPictureOnly: true, as: 'visitor', url: '/confirm-email?token=x' },
  { name: 'confirm-email-logged-in', isPictureOnly: true, as: 'user', url: '/confirm-email?token=x' },
  {
    name: 'confirm-email-other-account',
    as: 'user',
    url: '/confirm-email?token=x',
    intercept: answer('email-confirmation', { status: 400, json: { detail: 'Invalid token', other_account: true } }),
    act: async (page) => {
      await button('Confirm')(page)
      await page.getByText('This link belongs to another account.').waitFor()
    },
  },
  {
    name: 'confirm-email-used',
    as: 'user',
    url: '/confirm-email?token=x',
    act: async (page) => {
      await button('Confirm')(page)
      await page.getByText('If you already confirmed it').waitFor()
    },
  },
  {
    name: 'unconfirmed-address',
    as: 'user',
    url: '/settings',
    intercept: confirmAddresses,
    act: (page) => page.getByRole('button', { name: 'Forget' }).waitFor(),
  },
  {
    name: 'accept-invitation-incomplete',
    isPictureOnly: true,
    as: 'visitor',
    url: '/accept-invitation',
    act: button('Set Password'),
  },

  {
    name: 'dashboard',
    isPictureOnly: true,
    as: 'user',
    url: '/',
    act: (page) => page.locator('main .animate-appear').first().waitFor({ state: 'detached' }),
  },
  {
    name: 'dashboard-first-steps',
    isPictureOnly: true,
    as: 'newcomer',
    url: '/',
    act: (page) => page.getByText('First steps').waitFor(),
  },
  {
    name: 'dashboard-of-a-superuser',
    as: 'superuser',
    url: '/',
    act: (page) => page.getByRole('region', { name: 'Recent activity' }).waitFor(),
  },
  {
    name: 'dashboard-loading',
    as: 'superuser',
    url: '/',
    intercept: answer('users/me/overview'),
  },
  { name: 'sidebar-collapsed', as: 'superuser', url: '/', act: (page) => page.keyboard.press('Control+b') },
  { name: 'sidebar-sheet', as: 'superuser', url: '/users', act: dialogButton('Toggle sidebar'), narrowOnly: true },
  {
    name: 'user-menu',
    as: 'user',
    url: '/',
    act: async (page) => {
      const menu = page.getByRole('button', { name: /Ada/ })
      if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      await menu.click()
      await page.getByRole('menu').waitFor()
    },
  },

  ...itemStates,
  ...samples.flatMap(resourceStates),

  { name: 'users', as: 'superuser', url: '/users', act: listLoaded },
  { name: 'users-filtered', as: 'superuser', url: '/users?q=person&role=user&sort=-email', act: listLoaded },
  {
    name: 'users-filter-sheet',
    as: 'superuser',
    url: '/users?status=active',
    narrowOnly: true,
    act: dialogButton('Filters'),
  },
  {
    name: 'users-not-found',
    as: 'superuser',
    url: '/users?q=nobody+of+this+name&status=invited&idle_days=45',
    act: listLoaded,
  },
  {
    name: 'users-search-failed',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await answer('users/?*', { status: 404, json: {} })(page)
      await page.getByRole('searchbox').fill('ada')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'users-exporting',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await answer('users/export*')(page)
      await listAction(page, 'Export CSV')
      await page.getByRole('button', { name: 'Exporting…' }).waitFor()
    },
  },
  { name: 'add-user', isPictureOnly: true, as: 'superuser', url: '/users', act: dialogButton('Add User') },
  {
    name: 'add-user-invalid',
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await dialogButton('Add User')(page)
      await fill(page, 'Email', 'a@b')
      await mistypePasswords(page, /^Password/)
    },
  },
  { name: 'edit-user', isPictureOnly: true, as: 'superuser', url: '/users', act: (page) => rowAction(page, 'Edit') },
  {
    name: 'edit-user-invalid',
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await rowAction(page, 'Edit')
      await fill(page, 'Email', '')
      await mistypePasswords(page, /^Password/)
    },
  },
  {
    name: 'deactivate-user',
    isPictureOnly: true,
    as: 'superuser',
    // The newest users may be inactive, because tests share a server.
    url: '/users?status=active',
    act: (page) => rowAction(page, 'Deactivate'),
  },
  {
    name: 'users-selected',
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await listLoaded(page)
      const boxes = page.getByRole('checkbox', { name: 'Select all on this page' })
      if (await boxes.isVisible()) return boxes.check()
      await listAction(page, 'Select')
      return page.getByRole('checkbox', { name: 'All on this page' }).check()
    },
  },
  {
    name: 'users-partly-selected',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await listLoaded(page)
      const box = page.getByRole('checkbox', { name: 'Select person5@example.com' })
      if (!(await box.isVisible())) await listAction(page, 'Select')
      await box.check()
    },
  },
  { name: 'delete-user', as: 'superuser', url: '/users', act: (page) => rowAction(page, 'Delete') },

  { name: 'import-users', as: 'superuser', url: '/users?import' },
  { name: 'import-users-preview', as: 'superuser', url: '/users?import', act: previewImport },
  {
    name: 'import-users-wrong-line',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?import',
    act: async (page) => {
      await previewImport(page)
      await page.getByRole('button', { name: 'Back' }).click()
    },
  },
  {
    name: 'import-users-links',
    as: 'superuser',
    url: '/users?import',
    act: async (page) => {
      await previewImport(page)
      const links = Array.from({ length: 30 }, (_, index) => ({ row: index + 1, link: `${link}${index}` }))
      const json = { invited: 30, existing: [], errors: [], links }
      await answer('users/import', { json })(page)
      await page.getByLabel('Type 2 to confirm').fill('2')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Copy All' }).waitFor()
    },
  },
  { name: 'invite-user', isPictureOnly: true, as: 'superuser', url: '/users', act: dialogButton('Invite User') },
  {
    name: 'invite-user-invalid',
    as: 'superuser',
    url: '/users',
    act: async (page) => {
      await dialogButton('Invite User')(page)
      await fill(page, 'Email', 'a@b')
      await leave(page)
      await page.getByText('Invalid email address').waitFor()
    },
  },
  {
    name: 'invitation-link',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    intercept: (page) => answer('users/invite', { json: { user: { email: 'somebody@example.com' }, link } })(page),
    act: async (page) => {
      await dialogButton('Invite User')(page)
      await fill(page, 'Email', 'somebody@example.com')
      await page.keyboard.press('Enter')
      await page.getByLabel('Invitation link').waitFor()
    },
  },
  {
    name: 'invitation-links',
    as: 'superuser',
    url: '/users?invite',
    act: async (page) => {
      await fill(page, 'Email', 'one@example.com, two@example.com, three@example.com')
      await page.keyboard.press('Enter')
      const invite = page.getByRole('button', { name: 'Invite 3' })
      await invite.waitFor()
      const links = [1, 2, 3].map((row) => ({ row, link: `${link}${row}` }))
      const json = { invited: 3, existing: [], errors: [], links }
      await answer('users/import', { json })(page)
      await invite.click()
      await page.getByRole('button', { name: 'Copy All' }).waitFor()
    },
  },
  {
    name: 'invite-superusers',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?invite',
    act: async (page) => {
      await fill(page, 'Email', 'one@example.com, two@example.com ')
      await page.getByLabel('Is superuser?').check()
    },
  },
  { name: 'users-invited', isPictureOnly: true, as: 'superuser', url: '/users', intercept: inviteAll, act: rowMenu },
  {
    name: 'resend-invitation',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    intercept: inviteAll,
    act: (page) => rowAction(page, 'Resend Invitation'),
  },
  { name: 'user', as: 'superuser', url: '/users?q=ada', act: openUser('Ada Lovelace') },
  { name: 'user-with-a-long-name', as: 'superuser', url: '/users?q=person0', act: openUser(/^Wolfe/) },
  {
    name: 'end-sessions',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=niklaus',
    act: async (page) => {
      await openUser('Niklaus Wirth')(page)
      await dialogButton('End All Sessions')(page)
    },
  },
  {
    name: 'send-password-reset',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=ada',
    act: async (page) => {
      await openUser('Ada Lovelace')(page)
      await dialogButton('Send Password Reset')(page)
    },
  },
  {
    name: 'password-reset-link',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=ada',
    // The server limits resets per address, and other states have used them up.
    intercept: (page) =>
      page.route('**/password-reset', (route) =>
        route.fulfill({
          json: { message: 'There is no mail server', link: link.replace('accept-invitation', 'reset-password') },
        }),
      ),
    act: async (page) => {
      await openUser('Ada Lovelace')(page)
      await dialogButton('Send Password Reset')(page)
      await page.getByRole('button', { name: 'Get Link' }).click()
      await page.getByLabel('Password reset link').waitFor()
    },
  },
  { name: 'user-not-found', as: 'superuser', url: '/users/01890000-0000-7000-8000-00000000beef' },

  { name: 'audit', as: 'superuser', url: '/audit', act: (page) => page.getByRole('table').waitFor() },
  {
    name: 'audit-person-search',
    as: 'superuser',
    url: '/audit',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Find events, people or details' }).fill('ada')
      await page.getByRole('option', { name: 'Ada Lovelace' }).first().waitFor()
    },
  },
  {
    name: 'invite-several',
    as: 'superuser',
    url: '/users?invite',
    act: async (page) => {
      await fill(page, 'Email', 'one@example.com, two@, three@example.com ')
      await page.keyboard.press('Enter')
      await page.getByText('Invalid email address').waitFor()
    },
  },
  {
    name: 'palette',
    as: 'superuser',
    url: '/',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'keys',
    as: 'user',
    url: '/',
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'audit-filtered',
    isPictureOnly: true,
    as: 'superuser',
    url: '/audit?action=account-create&from=2020-01-01&to=2099-12-31',
    act: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'audit-not-found',
    isPictureOnly: true,
    as: 'superuser',
    url: '/audit?actor_id=01890000-0000-7000-8000-00000000beef&subject_id=01890000-0000-7000-8000-00000000beef',
    act: (page) => page.getByText('No entries found').waitFor(),
  },

  {
    name: 'security',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    act: (page) => page.getByRole('list', { name: 'Sessions' }).waitFor(),
  },
  {
    name: 'security-connected',
    as: 'user',
    url: '/security#oidc_error=taken',
    intercept: withCompany(),
    act: async (page) => {
      for (const name of ['Connected accounts', 'Sessions']) await page.getByRole('list', { name }).waitFor()
    },
  },
  {
    name: 'remove-identity',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: withCompany(),
    act: dialogButton('Remove ada.lovelace@example.com'),
  },
  {
    name: 'confirm-at-company',
    as: 'user',
    url: '/security',
    intercept: async (page) => {
      await withCompany({}, { has_password: false })(page)
      await page.route('**/identities/options', (route) => route.fulfill({ status: 423, json: {} }))
    },
    act: async (page) => {
      await button('Connect Example Corporation')(page)
      await page.getByRole('button', { name: 'Log in with Example Corporation again' }).waitFor()
    },
  },
  {
    name: 'confirm-with-company',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: async (page) => {
      await withCompany()(page)
      await page.route('**/identities/options', (route) => route.fulfill({ status: 423, json: {} }))
    },
    act: async (page) => {
      await button('Connect Example Corporation')(page)
      await page.getByRole('button', { name: 'Log in with Example Corporation again' }).waitFor()
    },
  },
  {
    name: 'set-password',
    isPictureOnly: true,
    as: 'user',
    url: '/settings?tab=password',
    intercept: withCompany({}, { has_password: false }),
    act: (page) => page.getByText('Your account has no password yet').waitFor(),
  },
  {
    name: 'user-connected',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=ada',
    intercept: withCompany(),
    act: async (page) => {
      await openUser('Ada Lovelace')(page)
      await page.getByRole('region', { name: 'Connected account' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'security-two-step',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: appWith(2),
    act: (page) => page.getByText('Only 2 recovery codes left').waitFor(),
  },
  {
    name: 'set-up-two-step',
    as: 'user',
    url: '/security',
    intercept: appWith(),
    act: async (page) => {
      await dialogButton('Set Up')(page)
      await page.getByRole('img', { name: /^QR code/ }).waitFor()
    },
  },
  {
    name: 'new-recovery-codes',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: appWith(10),
    act: async (page) => {
      await dialogButton('New Recovery Codes')(page)
      await button('Make New Codes')(page)
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    },
  },
  {
    name: 'turn-off-two-step',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: appWith(10),
    act: dialogButton('Turn Off'),
  },
  {
    name: 'confirm-by-code',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: async (page) => {
      await appWith(10)(page)
      await page.route('**/users/me/recovery-codes', (route) => route.fulfill({ status: 423, json: {} }))
    },
    act: async (page) => {
      await dialogButton('New Recovery Codes')(page)
      await button('Make New Codes')(page)
      await page.getByRole('textbox', { name: /^Code/ }).waitFor()
    },
  },
  {
    name: 'reset-second-factor',
    as: 'superuser',
    url: '/users?q=niklaus',
    intercept: answer('users/*-*/second-factor', {
      json: { totp: true, passkeys: 1, recovery_codes_left: 9, required: true },
    }),
    act: async (page) => {
      await openUser('Niklaus Wirth')(page)
      await dialogButton('Reset Second Factor')(page)
    },
  },
  { name: 'api-tokens', as: 'user', url: '/security', intercept: haveTokens, act: showTokens },
  {
    name: 'create-token',
    as: 'user',
    url: '/security?create_token',
    act: (page) => page.getByRole('dialog', { name: 'Create Token' }).waitFor(),
  },
  {
    name: 'new-token',
    as: 'user',
    url: '/security?create_token',
    intercept: haveTokens,
    act: async (page) => {
      await fill(page, 'Name', 'Nightly export')
      await button('Create Token')(page)
      await page.getByRole('dialog', { name: 'Your Token' }).waitFor()
    },
  },
  {
    name: 'end-token',
    isPictureOnly: true,
    as: 'user',
    url: '/security',
    intercept: haveTokens,
    act: async (page) => {
      await showTokens(page)
      await dialogButton('Revoke Nightly export')(page)
    },
  },
  {
    name: 'user-api-tokens',
    as: 'superuser',
    url: '/users?q=niklaus',
    intercept: haveTokens,
    act: async (page) => {
      await openUser('Niklaus Wirth')(page)
      await showTokens(page)
    },
  },
  {
    name: 'end-sessions-and-tokens',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=niklaus',
    intercept: haveTokens,
    act: async (page) => {
      await openUser('Niklaus Wirth')(page)
      await dialogButton('End All Sessions')(page)
    },
  },
  {
    name: 'edit-user-with-tokens',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users?q=niklaus',
    intercept: haveTokens,
    act: async (page) => {
      await openUser('Niklaus Wirth')(page)
      await dialogButton('Edit')(page)
      await fill(page, 'Password', 'a new password')
    },
  },
  {
    name: 'settings-password-and-tokens',
    isPictureOnly: true,
    as: 'user',
    url: '/settings?tab=password',
    intercept: haveTokens,
    act: (page) => page.getByRole('checkbox', { name: 'Also revoke my API tokens' }).waitFor(),
  },
  {
    name: 'security-absent',
    as: 'user',
    url: '/security',
    intercept: answer('users/me/sessions', { status: 404, json: {} }),
    act: (page) => page.getByText('This server does not show').waitFor(),
  },

  { name: 'settings-general', isPictureOnly: true, as: 'user', url: '/settings' },
  {
    name: 'settings-general-invalid',
    as: 'user',
    url: '/settings',
    act: async (page) => {
      await fill(page, 'Full Name', 'x'.repeat(31))
      await fill(page, 'Email', 'a@b')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'settings-password',
    isPictureOnly: true,
    as: 'user',
    url: '/settings?tab=password',
    act: (page) => page.getByRole('textbox', { name: /^Current/ }).waitFor(),
  },
  { name: 'settings-appearance', as: 'user', url: '/settings?tab=appearance' },
  { name: 'settings-dangerzone', as: 'user', url: '/settings?tab=dangerzone' },
  { name: 'delete-account', as: 'user', url: '/settings?tab=dangerzone', act: dialogButton('Delete Account') },

  {
    name: 'settings-password-invalid',
    as: 'user',
    url: '/settings?tab=password',
    act: (page) => mistypePasswords(page, /^New/),
  },
  {
    name: 'users-loading',
    as: 'superuser',
    url: '/users',
    intercept: answer('users/?*'),
    act: (page) => page.locator('main[aria-busy=true]').waitFor(),
  },
  {
    name: 'users-error',
    isPictureOnly: true,
    as: 'superuser',
    url: '/users',
    intercept: answer('users/?*', { status: 404, json: {} }),
  },
  { name: 'users-row-menu', isPictureOnly: true, as: 'superuser', url: '/users', act: rowMenu },
  {
    name: 'route-error',
    as: 'user',
    url: '/',
    intercept: answer('users/me', { status: 409, json: {} }),
    act: button('Show Error'),
  },
  {
    name: 'draft-notice',
    as: 'superuser',
    url: '/',
    act: async (page) => {
      // Stores the draft that a form keeps when its session ends.
      await page.evaluate(async () => {
        const me = await fetch('/api/v1/users/me', {
          headers: { authorization: `Bearer ${localStorage.getItem('access_token')}` },
        })
        const { id } = (await me.json()) as { id: string }
        const draft = {
          userId: id,
          title: 'Settings',
          href: '/settings',
          changes: { full_name: 'Kept' },
          state: { attempt: { key: 'some', sent: [] }, base: {} },
          at: Date.now(),
        }
        sessionStorage.setItem('draft', JSON.stringify(draft))
      })
      await page.reload()
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
      await page.getByText('Newest users').waitFor()
    },
  },

  { name: 'not-found', as: 'visitor', url: '/no/such/page' },
]

function resourceStates({ table, noun }: Sample): State[] {
  const url = `/${table}`
  return [
    { name: `${table}-empty`, as: 'newcomer', url },
    { name: `add-${noun}`, as: 'user', url, act: dialogButton(`Add ${noun.charAt(0).toUpperCase()}${noun.slice(1)}`) },
  ]
}

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const totp = { secret, uri: `otpauth://totp/Steward:ada%40example.com?secret=${secret}&issuer=Steward` }
const recovery_codes = Array.from('ABCDEFGHIJ', (letter) => `${letter}2K7-QWER-5TZU-IOP${letter}`)

async function logIn(page: Page): Promise<void> {
  await fill(page, 'Email', 'ada@example.com')
  await fill(page, 'Password', 'correct horse')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Two-step login' }).waitFor()
}

function askForSecondStep(step: { methods: string[]; enrol: boolean }) {
  return async (page: Page) => {
    const detail = step.enrol ? 'Set up an authenticator app to log in' : 'Enter the code of your authenticator app'
    const bodies: [path: string, status: number, json: object][] = [
      ['access-token', 400, { detail, second_factor: { login: 'x', ...step } }],
      ['second-factor', 400, { detail: 'Incorrect code' }],
      ['enrolment', 200, totp],
      ['enrolment/confirm', 200, { access_token: 'x', token_type: 'bearer', recovery_codes }],
    ]
    for (const [path, status, json] of bodies)
      await page.route(`**/api/v1/login/${path}`, (route) => route.fulfill({ status, json }))
  }
}

/** Gives the account an authenticator app with this number of recovery codes, or no app. */
function appWith(left?: number) {
  return async (page: Page) => {
    const state = { totp: left !== undefined, passkeys: 0, recovery_codes_left: left ?? 0, required: false }
    await page.route('**/users/me/second-factor', (route) => route.fulfill({ json: state }))
    await page.route('**/users/me/totp', (route) => route.fulfill({ json: totp }))
    await page.route('**/users/me/recovery-codes', (route) => route.fulfill({ json: { recovery_codes } }))
  }
}

const apiToken = {
  id: '01890000-0000-7000-8000-00000000cafe',
  name: 'Nightly export',
  scope: 'read',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2099-01-01T00:00:00.000Z',
  last_used_at: '2026-01-02T00:00:00.000Z',
  address: '2001:db8:85a3::8a2e:370:7334',
}
const apiTokens = [
  apiToken,
  { ...apiToken, id: '1', name: 'Import of new people from the directory of the whole company', scope: 'write' },
  { ...apiToken, id: '2', name: 'Old', expires_at: '2026-01-02T00:00:00.000Z', last_used_at: null, address: null },
]

async function haveTokens(page: Page): Promise<void> {
  await page.route('**/api/v1/users/*/tokens', (route) =>
    route.fulfill({
      json:
        route.request().method() === 'POST'
          ? { ...apiToken, token: `stw_${'7hR2kQ'.repeat(8)}x` }
          : { data: apiTokens, count: apiTokens.length },
    }),
  )
}

async function showTokens(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'API tokens' })
  await list.waitFor()
  await list.scrollIntoViewIfNeeded()
}

async function confirmAddresses(page: Page): Promise<void> {
  for (const [url, changes] of [
    ['**/api/v1/instance', { confirm_email: true }],
    ['**/api/v1/users/me', { email_confirmed_at: null, pending_email: 'new@example.com' }],
  ] as const)
    await page.route(url, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } })
    })
}

function withCompany(instance: object = {}, identities: object = {}) {
  const data = [
    {
      id: '01890000-0000-7000-8000-00000000beef',
      issuer: 'https://login.example.com/realms/main',
      email: 'ada.lovelace@example.com',
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: '2026-01-02T00:00:00.000Z',
    },
    {
      id: '01890000-0000-7000-8000-00000000cafe',
      issuer: 'https://sso.example.org',
      email: null,
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: null,
    },
  ]
  return async (page: Page) => {
    const oidc = { name: 'Example Corporation', log_out: 'https://login.example.com/end' }
    await page.route('**/api/v1/instance', async (route) => {
      const response = await route.fetch()
      const given = (await response.json()) as object
      await route.fulfill({ response, json: { ...given, oidc, password_log_in: true, ...instance } })
    })
    await page.route('**/api/v1/users/*/identities', (route) =>
      route.fulfill({ json: { data, count: data.length, has_password: true, ...identities } }),
    )
  }
}

export const closedInstance = {
  name: 'Steward',
  version: '0.2.0',
  sign_up: 'closed',
  passkeys: false,
  second_factor: 'optional',
  confirm_email: false,
}

function closeSignUp(page: Page): Promise<unknown> {
  return page.route('**/api/v1/instance', (route) => route.fulfill({ json: closedInstance }))
}

const link = `https://steward.example.com/accept-invitation?token=${'x'.repeat(43)}`

async function previewImport(page: Page): Promise<void> {
  const rows = Array.from(
    { length: 30 },
    (_, index) => `Person ${index},imported${index}@example.com,${index % 20 === 7}`,
  )
  const long = 'a-very-long-name-without-any-place-to-break-it'
  const others = ['Root,ada@example.com,', 'Wrong,wrong@,', `Long,${long}@example.com,perhaps`]
  rows.splice(4, 0, 'Again,imported0@example.com,', ...others.slice(1, 3))
  await fill(page, 'File content', ['full_name,email,is_superuser', others[0], ...rows].join('\n'))
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('table', { name: 'People' }).waitFor()
}

function inviteAll(page: Page): Promise<unknown> {
  return page.route('**/api/v1/users/?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { data: object[] }
    const data = list.data.map((user) => ({ ...user, is_active: true, is_invited: true }))
    await route.fulfill({ response, json: { ...list, data } })
  })
}

function openUser(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('link', { name }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('table', { name: 'History' }).waitFor()
  }
}

export function stateOf(name: string): State {
  const found = states.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no state ${name}`)
  return found
}

export async function enterState(page: Page, state: State, token: string | null): Promise<void> {
  if (token !== null) await page.addInitScript((value) => localStorage.setItem('access_token', value), token)
  await state.intercept?.(page)
  await page.goto(state.url)
  // Until then, the page is the prerendered one.
  await page.locator('#root > [inert]').waitFor({ state: 'detached' })
  await page.waitForFunction(() => window.releaseHeldEvents === undefined)
  await page.locator('h1, main[aria-busy=true], [role=alert] h2').first().waitFor()
  await state.act?.(page)
}
