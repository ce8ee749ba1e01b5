import { resources } from '@/lib/resources'

/** The recorded actions and their display names. */
const names: Partial<Record<string, string>> = {
  'log-in': 'Log-in',
  'log-out': 'Log-out',
  'sign-up': 'Sign-up',
  'account-create': 'Account created',
  'account-change': 'Account changed',
  'account-delete': 'Account deleted',
  'address-change': 'Email changed',
  'role-change': 'Role changed',
  'status-change': 'Status changed',
  'password-change': 'Password changed',
  'password-set': 'Password set by an administrator',
  'password-reset': 'Password reset by mail',
  'reset-link': 'Password reset requested',
  'sessions-end': 'All sessions ended',
  'session-end': 'Session ended',
  invite: 'Invitation',
  'invite-resend': 'Invitation sent again',
  'invitation-accept': 'Invitation accepted',
  'users-export': 'Users exported',
  ...Object.fromEntries(resources.map(({ tag, title }) => [`${tag}-export`, `${title} exported`])),
  'audit-export': 'Audit log exported',
}

const failures: Partial<Record<string, string>> = {
  'log-in': 'Log-in failed',
  'invitation-accept': 'Invitation not accepted',
}

const reasons: Partial<Record<string, string>> = {
  'wrong-password': 'wrong password',
  inactive: 'inactive account',
  'invalid-token': 'invalid link',
}

export const auditActions: readonly string[] = Object.keys(names)

/** The display name of an action; unknown actions are not translated. */
export function actionName(action: string): string {
  return names[action] ?? action
}

/** The text of an event: `Log-in failed: wrong password`. */
export function eventText({ action, result }: { action: string; result: string }): string {
  if (result === 'done') return actionName(action)
  return `${failures[action] ?? actionName(action)}: ${reasons[result] ?? result}`
}
