import { type Act, change } from '../sessions/change.ts'
import { deleteAccounts, setRole, setStatus } from '../accounts/changes.ts'
import { endApiTokens, removedDetails } from '../accounts/unconfirmed.ts'
import { type BulkResult, type BulkTargets, changeMany } from '../lists/bulk.ts'
import type { Context } from '../platform/context.ts'
import { deleteSessionsOfAll } from '../sessions/queries.ts'
import { validityAt } from '../sessions/checks.ts'
import { type AccountActor, notForTokens, requireAccess } from '../users/access.ts'
import { findUserIds, lockUsers, type User, type UsersRequest } from '../users/queries.ts'

interface FlagChange {
  flag: 'is_active' | 'is_superuser'
  value: boolean
}

const flagChanges = {
  activate: { flag: 'is_active', value: true },
  deactivate: { flag: 'is_active', value: false },
  make_superuser: { flag: 'is_superuser', value: true },
  remove_superuser: { flag: 'is_superuser', value: false },
} as const satisfies Record<string, FlagChange>

/** Batches are small because other requests wait for a batch on SQLite. */
const ROWS_AT_ONCE = 100

interface Asked extends BulkTargets<Omit<UsersRequest, 'sort'>> {
  action: keyof typeof flagChanges | 'end_sessions' | 'delete'
  end_tokens?: boolean
}

/** @throws DomainError `forbidden`, and what `changeMany` throws */
export async function changeAccounts(
  context: Context,
  actor: AccountActor,
  { action, end_tokens: endTokens = false, ...targets }: Asked,
  signal: AbortSignal,
): Promise<BulkResult> {
  requireAccess(actor, 'superuser')
  const { filter = {} } = targets
  const at = context.now()
  return changeMany(
    context,
    actor,
    targets,
    {
      action: 'users-bulk',
      change: action,
      noun: 'user',
      plural: 'users',
      rowsAtOnce: ROWS_AT_ONCE,
      find: (db, only) => findUserIds(db, filter, at, only),
      transact: (work) => change(context, actor, { lock: 'accounts' }, work),
      apply: (act, ids) =>
        action === 'delete'
          ? deleteBatch(act, ids)
          : action === 'end_sessions'
            ? endSessions(act, ids, endTokens)
            : setFlag(act, ids, flagChanges[action]),
    },
    signal,
  )
}

const OWN = 'The own account cannot be changed together with others'
const UNKNOWN = 'User not found'

/**
 * Locks the accounts that are to be changed. The own account is refused.
 * @param isDone whether the account needs no change
 * @param refusalOf returns why the account may not be changed, `undefined` if it may
 */
async function lockOthers(
  { tx, actor }: Act<AccountActor>,
  ids: readonly string[],
  isDone: (user: User) => boolean,
  refusalOf: (user: User) => string | undefined = () => undefined,
): Promise<{ others: User[]; refused: BulkResult['refused'] }> {
  const users = new Map((await lockUsers(tx, ids)).map((user) => [user.id, user]))
  const refused: BulkResult['refused'] = []
  const others: User[] = []
  for (const id of ids) {
    const user = users.get(id)
    if (user && isDone(user)) continue
    const detail = !user ? UNKNOWN : id === actor.user.id ? OWN : refusalOf(user)
    if (user && detail === undefined) others.push(user)
    else if (detail !== undefined) refused.push({ id, detail })
  }
  return { others, refused }
}

/** The actor is a superuser and is never changed, so at least one superuser remains. */
async function setFlag(act: Act<AccountActor>, ids: readonly string[], { flag, value }: FlagChange) {
  const refusalOf = (user: User) =>
    act.actor.token && flag === 'is_active' && value && user.is_superuser ? notForTokens().message : undefined
  const { others, refused } = await lockOthers(act, ids, (user) => user[flag] === value, refusalOf)
  if (others.length > 0) await (flag === 'is_active' ? setStatus : setRole)(act, others, value)
  return {
    changed: others.length,
    unchanged: ids.length - others.length - refused.length,
    refused,
    ...(flag === 'is_active' && { changed_ids: others.map(({ id }) => id) }),
  }
}

async function endSessions(act: Act<AccountActor>, ids: readonly string[], endTokens: boolean): Promise<BulkResult> {
  const { others, refused } = await lockOthers(act, ids, () => false)
  const users = others.map(({ id }) => id)
  const hadSession = users.length === 0 ? new Set() : await deleteSessionsOfAll(act.tx, users, validityAt(act))
  const ended = endTokens && users.length > 0 ? await endApiTokens(act, users) : undefined
  const changed = users.filter((id) => hadSession.has(id) || ended?.has(id))
  for (const id of changed) act.audit('sessions-end', { subjectId: id, details: removedDetails(ended?.get(id)) })
  return { changed: changed.length, unchanged: users.length - changed.length, refused }
}

async function deleteBatch(act: Act<AccountActor>, ids: readonly string[]): Promise<BulkResult> {
  const { id: own } = act.actor.user
  const others = ids.filter((id) => id !== own)
  const deleted = await deleteAccounts(act, others)
  const kept = ids.filter((id) => !deleted.has(id))
  const refused = kept.map((id) => ({ id, detail: id === own ? OWN : UNKNOWN }))
  return { changed: deleted.size, unchanged: 0, refused }
}
