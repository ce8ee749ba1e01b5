import { v7 as uuid } from 'uuid'
import type { Services, TxContext } from '../platform/context.ts'
import { consumeEach } from '../limits/rules.ts'
import { derivedId } from '../platform/lib/derived-id.ts'
import { networkAddress } from '../platform/lib/network-address.ts'
import type { ResourceTable } from '../tables.ts'
import { type AnyActor, SERVER } from '../users/access.ts'
import { insertAuditEntries, type NewEntry, putAuditEntry } from './queries.ts'
import { searchTextOf } from './search-text.ts'

export type AuditAction =
  | 'log-in'
  | 'log-out'
  | 'confirm'
  | 'passkey-create'
  | 'passkey-delete'
  | 'totp-create'
  | 'totp-delete'
  | 'recovery-codes'
  | 'second-factor'
  | 'second-factor-reset'
  | 'sign-up'
  | 'account-create'
  | 'account-change'
  | 'account-delete'
  | 'address-change'
  | 'address-confirm'
  | 'address-request'
  | 'role-change'
  | 'status-change'
  | 'password-change'
  | 'password-set'
  | 'password-reset'
  | 'invite'
  | 'invite-resend'
  | 'invitation-accept'
  | 'reset-link'
  | 'reset-send'
  | 'welcome-mail'
  | 'identity-create'
  | 'identity-delete'
  | 'log-in-link'
  | 'session-end'
  | 'token-create'
  | 'token-delete'
  | 'sessions-end'
  | 'users-export'
  | 'users-import'
  | 'audit-export'
  | `${ResourceTable}-export`
  | `${'users' | ResourceTable}-bulk`
  | 'unrecorded'

/** An action on a row begins with the noun of the resource: `item-create`. */
type RowAction = `${string}-${'create' | 'change' | 'delete'}`

export interface AuditFacts {
  /** Everything but `done` is a failure. */
  result?:
    | 'done'
    | 'wrong-password'
    | 'inactive'
    | 'invalid-token'
    | 'wrong-passkey'
    | 'passkey-copied'
    | 'wrong-code'
    | 'no-mail-server'
    | 'connect-first'
    | 'not-recent'
    | 'wrong-identity'
    | 'passwords-off'
  /** The acting account. The default is the account of the actor, if the actor has one. */
  actorId?: string | undefined
  /** The affected account. The default is the acting account. */
  subjectId?: string | undefined
  /** A few values that everybody who reads the log may see. */
  details?: AuditDetails | undefined
}

export interface AuditEvent extends AuditFacts {
  action: AuditAction | RowAction
}

export type AuditDetails = Record<string, unknown>

/** An account adds at most this many entries of an action in an hour. */
const MAX_ENTRIES = 1000

/** More changes could exceed the size of an entry. */
const MAX_CHANGES = 20

const MAX_DETAILS_BYTES = 2048
const MAX_DETAILS_TEXT = 200

export async function recordAudit(context: TxContext, by: AnyActor, events: readonly AuditEvent[]): Promise<void> {
  const at = context.now()
  const origin = by.ip === SERVER ? SERVER : networkAddress(by.ip)
  const token = by.token && { token: by.token.name }
  const entries = events.map(({ action, result = 'done', actorId = by.user?.id, subjectId = actorId, details }) => ({
    id: uuid(),
    at,
    action,
    result,
    actor_id: actorId ?? null,
    subject_id: subjectId ?? null,
    origin,
    ...storedDetails(details || token ? { ...details, ...token } : undefined),
  }))
  await write(context, entries)
}

export function countAudit({ recorded }: Services, events: readonly AuditEvent[]): void {
  for (const { action, result = 'done' } of events) {
    const key = `${action} ${result}`
    recorded.set(key, { action, result, count: (recorded.get(key)?.count ?? 0) + 1 })
  }
}

/**
 * Inserts entries. An account has a limit for each action, so that nobody can fill the audit log. One further entry per
 * hour tells how many entries were left out. Actions of superusers on other accounts are always recorded.
 */
async function write(context: TxContext, entries: readonly NewEntry[]): Promise<void> {
  const kept = entries.filter((entry) => !isLimited(entry))
  const limited = entries.filter(isLimited)
  const subjects = limited.map(({ subject_id, action }) => ({ user: subject_id, kind: action }))
  const uses = await consumeEach(context, 'audit', subjects)
  for (const [index, { used, startedAt }] of uses.entries()) {
    const entry = limited[index] as NewEntry
    if (used <= MAX_ENTRIES) kept.push(entry)
    else {
      const { action, subject_id } = entry
      const id = derivedId(`unrecorded ${subject_id} ${action} ${startedAt}`)
      const details = storedDetails({ action, number: used - MAX_ENTRIES })
      await putAuditEntry(context.tx, { ...entry, id, action: 'unrecorded', ...details })
    }
  }
  if (kept.length > 0) await insertAuditEntries(context.tx, kept)
}

function isLimited(entry: NewEntry): entry is NewEntry & { subject_id: string } {
  const { actor_id, subject_id } = entry
  return subject_id !== null && (actor_id ?? subject_id) === subject_id
}

function storedDetails(details: AuditDetails | undefined): Pick<NewEntry, 'details' | 'details_search'> {
  if (details === undefined) return { details: null, details_search: null }
  const text = toText(details)
  return { details: text, details_search: searchTextOf(JSON.parse(text) as AuditDetails) }
}

/** Returns JSON of at most 2 KiB. Texts are cut at 200 characters, or even shorter until the JSON fits. */
function toText(details: AuditDetails): string {
  for (let max = MAX_DETAILS_TEXT; max > 0; max = Math.floor(max / 2)) {
    const text = JSON.stringify(details, (_key, value: unknown) =>
      typeof value === 'string' ? Array.from(value).slice(0, max).join('') : value,
    )
    if (Buffer.byteLength(text) <= MAX_DETAILS_BYTES) return text
  }
  throw new Error('The details of an audit entry have too many values')
}

/** @returns such as `{ full_name: { from: 'Berta', to: 'Bertha' } }`, or `undefined` if no field differs */
export function changesOf<Row extends object>(before: Row, after: Row, fields: readonly (keyof Row & string)[]) {
  const changed = fields.filter((field) => !isSame(before[field], after[field])).slice(0, MAX_CHANGES)
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((field) => [field, { from: shown(before[field]), to: shown(after[field]) }]))
}

/** Compares as JSON, because the value of a field for a file is an object. */
const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

function shown(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : value
}
