import { type Act, change } from '../sessions/change.ts'
import { invite } from '../accounts/invitations.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { consume, detailOf, findOverinvited } from '../limits/rules.ts'
import { type BulkResult, changeEach } from '../lists/bulk.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { requireLiveSession, requireRecentLogIn } from '../sessions/checks.ts'
import { type AccountActor, requireAccess } from '../users/access.ts'
import { findKeys } from '../users/queries.ts'

/** Rows are numbered from 1. */
export interface ImportRow extends UserInvite {
  row: number
}

export interface ImportError {
  row: number
  field: string
  detail: string
}

/** Batches are small because each invitation takes several SQL statements. */
const ROWS_AT_ONCE = 20

/**
 * Invites people who have no account yet. Invites nobody if a row has an error.
 * @param given.errors errors of rows that are not in `rows`
 * @throws DomainError `forbidden`; `not-fresh` if a row is a superuser; what `changeEach` throws
 */
export async function importAccounts(
  context: Context,
  caller: AccountActor,
  given: { rows: readonly ImportRow[]; errors: readonly ImportError[]; dryRun: boolean },
  signal: AbortSignal,
) {
  requireAccess(caller, 'superuser')
  const makesSuperusers = !given.dryRun && given.rows.some((row) => row.is_superuser)
  const actor = makesSuperusers ? requireRecentLogIn(context, caller) : caller
  const { rows, duplicates } = toUnique(given.rows)
  const existing = await findKeys(context.store.db, [...rows.keys()])
  const missing = [...rows.keys()].filter((key) => !existing.has(key))
  const overinvited = (await findOverinvited(context, missing)).map((key) => ({
    row: rows.get(key)?.row ?? 0,
    field: 'email',
    detail: detailOf('invitation'),
  }))
  const errors = [...given.errors, ...duplicates, ...overinvited].toSorted((a, b) => a.row - b.row)
  const addresses = () => [...rows].flatMap(([key, { email }]) => (existing.has(key) ? [email] : []))
  // Without a mail server, the administrator hands over these tokens. The key is the number of the row.
  const tokens = new Map<number, string>()
  if (given.dryRun || errors.length > 0) {
    await consume(context, 'bulk', { user: actor.user.id })
    // The session may have ended while the body was arriving.
    await requireLiveSession(context, actor)
    const invited = given.dryRun ? missing.length - overinvited.length : 0
    return { invited, existing: addresses(), errors, tokens }
  }
  const bulk = {
    action: 'users-import',
    change: 'invite',
    noun: 'user',
    plural: 'users',
    rowsAtOnce: ROWS_AT_ONCE,
    transact<T>(work: (act: Act<AccountActor>) => Promise<T>) {
      const attempt = () => change(context, actor, { lock: 'accounts' }, work)
      return attempt().catch((error: unknown) => {
        // A sign-up took an address after the batch had looked for it.
        if (!(error instanceof DomainError && error.kind === 'conflict')) throw error
        return attempt()
      })
    },
    async apply(act: Act, keys: readonly string[]): Promise<BulkResult> {
      const taken = await findKeys(act.tx, keys)
      for (const key of keys) {
        const row = rows.get(key)
        if (!row) continue
        // An earlier attempt, which was rolled back, may have set a token.
        tokens.delete(row.row)
        if (taken.has(key)) continue
        const { row: _, ...facts } = row
        const { token } = await invite(act, facts)
        if (token !== undefined) tokens.set(row.row, token)
      }
      const refused = Array.from(taken, (id) => ({ id, detail: 'A user with this email already exists' }))
      return { changed: keys.length - taken.size, unchanged: 0, refused }
    },
  } as const
  const { changed, refused } = await changeEach(context, actor, async () => missing, bulk, signal)
  for (const { id } of refused) existing.add(id)
  return { invited: changed, existing: addresses(), errors, tokens }
}

function toUnique(given: readonly ImportRow[]): { rows: Map<string, ImportRow>; duplicates: ImportError[] } {
  const rows = new Map<string, ImportRow>()
  const duplicates: ImportError[] = []
  for (const row of given) {
    const key = emailKey(row.email)
    // The message does not name the earlier row, because the caller may number the lines of the file differently.
    if (rows.has(key)) duplicates.push({ row: row.row, field: 'email', detail: 'An earlier row has the same address' })
    else rows.set(key, row)
  }
  return { rows, duplicates }
}
