import { v7 as uuid } from 'uuid'
import type { Context } from '../platform/context.ts'
import { consume } from '../limits/rules.ts'
import { afterCommit, beforeCommit, type Db } from '../platform/database/store.ts'
import { derivedId } from '../platform/lib/derived-id.ts'
import { networkAddress } from '../platform/lib/network-address.ts'
import type { ResourceTable } from '../tables.ts'
import { type Actor, SERVER } from '../users/access.ts'
import { type NewEntry, insertAuditEntries, putAuditEntry } from './queries.ts'
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

/** Of a row of a resource, with the noun of the resource: `item-create`. */
type RowAction = `${string}-${'create' | 'change' | 'delete'}`

export interface AuditEvent {
  action: AuditAction | RowAction
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
  /** Absent if unknown, and for the operator. */
  actorId?: string | undefined
  /** The affected account; the actor by default. */
  subjectId?: string | undefined
  ip: string
  /** The name of the API token that did it, which the details get. */
  token?: string | undefined
  /** What happened, beyond the action: a few values that everybody who reads the log may see. */
  details?: AuditDetails | undefined
}

export type AuditDetails = Record<string, unknown>

/** Of an action and account in an hour. */
const MAX_ENTRIES = 1000

/** With more, an entry might exceed its bound. */
const MAX_CHANGES = 20

const MAX_DETAILS_BYTES = 2048
const MAX_DETAILS_TEXT = 200

/** Records an action in the transaction of the action, at its end. */
export async function recordAudit(context: Context, db: Db, event: AuditEvent): Promise<void> {
  await recordAudits(context, db, [event])
}

/** Records the actions of one transaction. */
export async function recordAudits(context: Context, db: Db, events: readonly AuditEvent[]): Promise<void> {
  const { now, recorded } = context
  if (events.length === 0) return
  const entries = events.map(({ action, result = 'done', actorId, subjectId = actorId, ip, token, details }) => ({
    id: uuid(),
    at: now(),
    action,
    result,
    actor_id: actorId ?? null,
    subject_id: subjectId ?? null,
    origin: ip === SERVER ? SERVER : networkAddress(ip),
    ...storedDetails(
      details || token !== undefined ? { ...details, ...(token !== undefined && { token }) } : undefined,
    ),
  }))
  await beforeCommit(db, () => write(context, db, entries))
  afterCommit(db, () => {
    for (const { action, result } of entries) {
      const key = `${action} ${result}`
      recorded.set(key, { action, result, count: (recorded.get(key)?.count ?? 0) + 1 })
    }
  })
}

/**
 * Inserts entries. An account has a limit for each action, so that nobody can fill the audit log. One entry of an hour
 * says how many of an action are missing. What superusers do to others is always recorded.
 */
async function write(context: Context, db: Db, entries: readonly NewEntry[]): Promise<void> {
  const kept: NewEntry[] = []
  for (const entry of entries) {
    const { action, actor_id, subject_id } = entry
    const isLimited = subject_id !== null && (actor_id ?? subject_id) === subject_id
    const [use] = isLimited ? await consume(context, db, 'audit', { user: subject_id, kind: action }) : []
    if (!use || use.used <= MAX_ENTRIES) kept.push(entry)
    else {
      const id = derivedId(`unrecorded ${subject_id} ${action} ${use.startedAt}`)
      const details = storedDetails({ action, number: use.used - MAX_ENTRIES })
      await putAuditEntry(db, { ...entry, id, action: 'unrecorded', ...details })
    }
  }
  if (kept.length > 0) await insertAuditEntries(db, kept)
}

/** With the text that a search finds. */
function storedDetails(details: AuditDetails | undefined): Pick<NewEntry, 'details' | 'details_search'> {
  if (details === undefined) return { details: null, details_search: null }
  const text = toText(details)
  return { details: text, details_search: searchTextOf(JSON.parse(text) as AuditDetails) }
}

/** JSON of at most 2 KiB: texts are cut at 200 characters, and at fewer if there are many. */
function toText(details: AuditDetails): string {
  for (let max = MAX_DETAILS_TEXT; max > 0; max = Math.floor(max / 2)) {
    const text = JSON.stringify(details, (_key, value: unknown) =>
      typeof value === 'string' ? Array.from(value).slice(0, max).join('') : value,
    )
    if (Buffer.byteLength(text) <= MAX_DETAILS_BYTES) return text
  }
  throw new Error('The details of an audit entry have too many values')
}

/**
 * The fields that differ, with both values: `{ full_name: { from: 'Berta', to: 'Bertha' } }`.
 * @returns `undefined` if none differs
 */
export function changesOf<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): AuditDetails | undefined {
  const changed = fields.filter((field) => !isSame(before[field], after[field])).slice(0, MAX_CHANGES)
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((field) => [field, { from: shown(before[field]), to: shown(after[field]) }]))
}

/** A file is an object. */
const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Of a file, its name. */
function shown(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : value
}

/** The account, API token and address of an actor, for an entry. */
export function by({ user, token, ip }: Actor): Record<'actorId' | 'token', string | undefined> & { ip: string } {
  return { actorId: user?.id, token: token?.name, ip }
}
