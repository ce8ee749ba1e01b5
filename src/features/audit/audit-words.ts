import type { AuditEntry } from '@/client/types.gen'
import { capitalize } from '@/lib/text'
import { formerResources, resources } from '@/lib/resources'

const allResources = [...resources, ...formerResources]

export const eventGroups: Record<string, Record<string, string>> = {
  'Log-ins and sessions': {
    'log-in': 'Log-in',
    'log-in-link': 'Log-in link made',
    'log-out': 'Log-out',
    'second-factor': 'Second step',
    confirm: 'Identity confirmed',
    'session-end': 'Session ended',
    'sessions-end': 'All sessions ended',
  },
  'API tokens': {
    'token-create': 'API token created',
    'token-delete': 'API token ended',
  },
  Accounts: {
    'sign-up': 'Sign-up',
    'account-create': 'Account created',
    'account-change': 'Account changed',
    'account-delete': 'Account deleted',
    'role-change': 'Role changed',
    'status-change': 'Status changed',
    invite: 'Invitation',
    'invite-resend': 'Invitation renewed',
    'invitation-accept': 'Invitation accepted',
    'welcome-mail': 'Welcome mail queued',
    'users-import': 'Users imported',
    'users-bulk': 'Many users changed',
    'users-export': 'Users exported',
  },
  'Email addresses': {
    'address-request': 'New email requested',
    'address-confirm': 'Email confirmed',
    'address-change': 'Email changed',
  },
  Passwords: {
    'password-change': 'Password changed',
    'password-set': 'Password set by an administrator',
    'password-reset': 'Password reset by a link',
    'reset-link': 'Password reset requested',
    'reset-send': 'Password reset sent by an administrator',
  },
  'Passkeys, company accounts and two-step login': {
    'passkey-create': 'Passkey added',
    'passkey-delete': 'Passkey deleted',
    'identity-create': 'Company account connected',
    'identity-delete': 'Company account removed',
    'totp-create': 'Authenticator app set up',
    'totp-delete': 'Authenticator app removed',
    'recovery-codes': 'New recovery codes',
    'second-factor-reset': 'Second factor reset',
  },
  ...Object.fromEntries(
    allResources.map(({ noun, tag, title }) => [
      title,
      {
        [`${noun}-create`]: `${capitalize(noun)} created`,
        [`${noun}-change`]: `${capitalize(noun)} changed`,
        [`${noun}-delete`]: `${capitalize(noun)} deleted`,
        [`${tag}-bulk`]: `Many ${title.toLowerCase()} deleted`,
        [`${tag}-export`]: `${title} exported`,
      },
    ]),
  ),
  'Audit log': {
    'audit-export': 'Audit log exported',
    unrecorded: 'Further entries not recorded',
  },
}

const actionNames: Partial<Record<string, string>> = Object.assign({}, ...Object.values(eventGroups))

/** How somebody logged in, confirmed their identity or reset something. */
const ways: Partial<Record<string, string>> = {
  passkey: 'with a passkey',
  oidc: 'with a company account',
  link: 'with a link of the operator',
  totp: 'with a code of an app',
  'recovery-code': 'with a recovery code',
  'handed-over': 'as a link',
  asked: 'asked for',
}

const failures: Partial<Record<string, { text: string; results: readonly string[] }>> = {
  'log-in': { text: 'Log-in failed', results: ['wrong-password', 'inactive', 'connect-first', 'invalid-token'] },
  'password-change': { text: 'Password not changed', results: ['wrong-password'] },
  'password-reset': { text: 'Password not reset', results: ['invalid-token'] },
  confirm: {
    text: 'Identity not confirmed',
    results: ['wrong-password', 'wrong-code', 'wrong-passkey', 'wrong-identity', 'not-recent'],
  },
  'second-factor': { text: 'Second step failed', results: ['wrong-code'] },
  'invitation-accept': { text: 'Invitation not accepted', results: ['invalid-token'] },
  'reset-send': { text: 'Password reset not sent', results: ['no-mail-server'] },
  'welcome-mail': { text: 'Welcome mail not sent', results: ['no-mail-server'] },
}

const reasons: Partial<Record<string, string>> = {
  'wrong-password': 'wrong password',
  'wrong-code': 'wrong code',
  'wrong-passkey': 'wrong passkey',
  'wrong-identity': 'another company account',
  'not-recent': 'not recently logged in at the provider',
  'connect-first': 'company account not connected',
  inactive: 'inactive account',
  'invalid-token': 'invalid link',
  'no-mail-server': 'no mail server',
}

export const actionName = (action: string): string => actionNames[action] ?? action

export function resultsOf(action: string | undefined): readonly string[] {
  const failed = action === undefined ? Object.keys(reasons) : (failures[action]?.results ?? [])
  return failed.length === 0 ? ['done'] : ['done', 'failed', ...failed]
}

export function resultName(result: string): string {
  if (result === 'failed') return 'Failures only'
  if (result === 'done') return 'Succeeded'
  const reason = reasons[result]
  return reason === undefined ? `Result: ${result}` : `Failed: ${reason}`
}

/** Such as `Log-in failed: wrong password`. */
export function eventText({ action, result, details }: Pick<AuditEntry, 'action' | 'result' | 'details'>): string {
  const way = ways[String(details?.['method'] ?? details?.['step'])]
  if (result === 'done') return [actionName(action), way].filter(Boolean).join(' ')
  return `${failures[action]?.text ?? actionName(action)}: ${reasons[result] ?? result}`
}

/** The log has no account for commands that the operator runs on the server. */
export function isByServer({ actor, address }: Pick<AuditEntry, 'actor' | 'address'>): boolean {
  return actor === null && address === 'server'
}

export interface Detail {
  label: string
  value?: string
  from?: string
}

const labels: Partial<Record<string, string>> = {
  full_name: 'Name',
  is_active: 'Active',
  is_superuser: 'Superuser',
  q: 'Search',
  token: 'By the API token',
  removed_tokens: 'Revoked API tokens',
}

const changes: Partial<Record<string, string>> = {
  'is_active true': 'Activated',
  'is_active false': 'Deactivated',
  'is_superuser true': 'Superuser',
  'is_superuser false': 'No superuser any more',
}

/** The name that entries record beside the id of a row. */
export function nameIn(details: AuditEntry['details']): string | undefined {
  const { id, ...rest } = details ?? {}
  const [first] = id === undefined ? [] : Object.values(rest)
  const name = isObject(first) ? first['to'] : first
  return typeof name === 'string' ? name : undefined
}

export function detailsOf(details: AuditEntry['details']): Detail[] {
  return Object.entries(details ?? {}).flatMap(([name, value]): Detail[] => {
    // The text of the event already contains `method` and `step`. Ids are only in exports.
    if (name === 'id' || name === 'method' || name === 'step') return []
    const label = labels[name] ?? wordsOf(name)
    if (name === 'action') return [{ label, value: actionNames[String(value)] ?? wordsOf(String(value)) }]
    if (!isObject(value)) return [{ label, value: textOf(value) }]
    if (!('from' in value && 'to' in value)) return detailsOf(value)
    const word = changes[`${name} ${String(value['to'])}`]
    return [word === undefined ? { label, from: textOf(value['from']), value: textOf(value['to']) } : { label: word }]
  })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const wordsOf = (name: string): string => capitalize(name.replaceAll('_', ' '))

function textOf(value: unknown): string {
  if (value === null || value === '') return 'N/A'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
