import { resources } from './resources'

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
  'users-import': 'Users imported',
  'users-bulk': 'Many users changed',
  ...Object.fromEntries(resources.map(({ tag, title }) => [`${tag}-export`, `${title} exported`])),
  ...Object.fromEntries(resources.map(({ tag, title }) => [`${tag}-bulk`, `Many ${title.toLowerCase()} deleted`])),
  'audit-export': 'Audit log exported',
}

/** The actions that can fail. */
const failures: Partial<Record<string, { text: string; results: readonly string[] }>> = {
  'log-in': { text: 'Log-in failed', results: ['wrong-password', 'inactive'] },
  'password-change': { text: 'Password not changed', results: ['wrong-password'] },
  'password-reset': { text: 'Password not reset', results: ['invalid-token'] },
  'invitation-accept': { text: 'Invitation not accepted', results: ['invalid-token'] },
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

/** The possible results of an action, or of all actions. */
export function resultsOf(action: string | undefined): readonly string[] {
  return ['done', ...(action === undefined ? Object.keys(reasons) : (failures[action]?.results ?? []))]
}

/** The display name of a result; unknown results are not translated. */
export function resultName(result: string): string {
  return result === 'done' ? 'Succeeded' : `Failed: ${reasons[result] ?? result}`
}

/** The text of an event: `Log-in failed: wrong password`. */
export function eventText({ action, result }: { action: string; result: string }): string {
  if (result === 'done') return actionName(action)
  return `${failures[action]?.text ?? actionName(action)}: ${reasons[result] ?? result}`
}
