import { expect, test } from 'vitest'
import { detailsOf, eventGroups, eventText } from './audit-words'

test.each([
  ['log-in', 'done', 'Log-in'],
  ['log-in', 'wrong-password', 'Log-in failed: wrong password'],
  ['log-in', 'inactive', 'Log-in failed: inactive account'],
  ['log-in', 'connect-first', 'Log-in failed: company account not connected'],
  ['log-in-link', 'done', 'Log-in link made'],
  ['confirm', 'wrong-identity', 'Identity not confirmed: another company account'],
  ['confirm', 'not-recent', 'Identity not confirmed: not recently logged in at the provider'],
  ['confirm', 'wrong-password', 'Identity not confirmed: wrong password'],
  ['second-factor', 'done', 'Second step'],
  ['second-factor', 'wrong-code', 'Second step failed: wrong code'],
  ['second-factor-reset', 'done', 'Second factor reset'],
  ['totp-create', 'done', 'Authenticator app set up'],
  ['identity-create', 'done', 'Company account connected'],
  ['identity-delete', 'done', 'Company account removed'],
  ['invitation-accept', 'done', 'Invitation accepted'],
  ['invitation-accept', 'invalid-token', 'Invitation not accepted: invalid link'],
  ['password-change', 'wrong-password', 'Password not changed: wrong password'],
  ['password-reset', 'invalid-token', 'Password not reset: invalid link'],
  ['role-change', 'done', 'Role changed'],
  ['role-change', 'refused', 'Role changed: refused'],
  ['welcome-mail', 'done', 'Welcome mail queued'],
  ['welcome-mail', 'no-mail-server', 'Welcome mail not sent: no mail server'],
  ['reset-send', 'done', 'Password reset sent by an administrator'],
  ['reset-send', 'no-mail-server', 'Password reset not sent: no mail server'],
  ['invite-resend', 'done', 'Invitation renewed'],
  ['item-delete', 'done', 'Item deleted'],
  ['coffee-make', 'done', 'coffee-make'],
  ['coffee-make', 'no-beans', 'coffee-make: no-beans'],
])('%s, %s: %s', (action, result, text) => {
  expect(eventText({ action, result })).toBe(text)
})

test.each([
  ['log-in', 'passkey', 'Log-in with a passkey'],
  ['log-in', 'totp', 'Log-in with a code of an app'],
  ['log-in', 'oidc', 'Log-in with a company account'],
  ['confirm', 'oidc', 'Identity confirmed with a company account'],
  ['log-in', 'recovery-code', 'Log-in with a recovery code'],
  ['confirm', 'passkey', 'Identity confirmed with a passkey'],
  ['reset-send', 'handed-over', 'Password reset sent by an administrator as a link'],
])('%s by %s: %s', (action, method, text) => {
  expect(eventText({ action, result: 'done', details: { method } })).toBe(text)
  expect(detailsOf({ method })).toEqual([])
})

test('the details of a second step are in its text', () => {
  const details = { step: 'asked' }
  expect(eventText({ action: 'second-factor', result: 'done', details })).toBe('Second step asked for')
  expect(detailsOf(details)).toEqual([])
})

test('every action has a unique name', () => {
  const named = Object.values(eventGroups).flatMap((names) => Object.values(names))
  expect(new Set(named).size).toBe(named.length)
  expect(named.filter((name) => !/^[A-Z]/.test(name))).toEqual([])
})

test('details are words, without ids', () => {
  const details = {
    id: 'x',
    full_name: { from: null, to: 'Bertha' },
    is_active: { from: true, to: false },
    is_superuser: { from: false, to: true },
    due_on: { from: '2026-01-01', to: '2026-01-02' },
    done: { from: false, to: true },
    title: 'Notes',
    action: 'make_superuser',
    filter: { q: 'ada', idle_days: 90 },
  }
  expect(detailsOf(details)).toEqual([
    { label: 'Name', from: 'N/A', value: 'Bertha' },
    { label: 'Deactivated' },
    { label: 'Superuser' },
    { label: 'Due on', from: '2026-01-01', value: '2026-01-02' },
    { label: 'Done', from: 'No', value: 'Yes' },
    { label: 'Title', value: 'Notes' },
    { label: 'Action', value: 'Make superuser' },
    { label: 'Search', value: 'ada' },
    { label: 'Idle days', value: '90' },
  ])
  expect(detailsOf(null)).toEqual([])
})
