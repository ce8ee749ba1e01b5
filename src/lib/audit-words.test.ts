import { expect, test } from 'vitest'
import { resources } from '@/lib/resources'
import { actionName, auditActions, eventText } from './audit-words'

test.each([
  ['log-in', 'done', 'Log-in'],
  ['log-in', 'wrong-password', 'Log-in failed: wrong password'],
  ['log-in', 'inactive', 'Log-in failed: inactive account'],
  ['invitation-accept', 'done', 'Invitation accepted'],
  ['invitation-accept', 'invalid-token', 'Invitation not accepted: invalid link'],
  ['password-change', 'wrong-password', 'Password not changed: wrong password'],
  ['password-reset', 'invalid-token', 'Password not reset: invalid link'],
  ['role-change', 'done', 'Role changed'],
  ['role-change', 'refused', 'Role changed: refused'],
  ['coffee-make', 'done', 'coffee-make'],
  ['coffee-make', 'no-beans', 'coffee-make: no-beans'],
])('%s, %s: %s', (action, result, text) => {
  expect(eventText({ action, result })).toBe(text)
})

test('every action has a unique name', () => {
  expect(auditActions).toHaveLength(22 + 2 * resources.length)
  const named = auditActions.map(actionName)
  expect(new Set(named).size).toBe(auditActions.length)
  expect(named.filter((name) => !/^[A-Z]/.test(name))).toEqual([])
})
