import { type Act, change } from '../sessions/change.ts'
import { endAccess, endApiTokens, type Removed, removedDetails } from '../accounts/unconfirmed.ts'
import type { AuditAction } from '../audit/record.ts'
import { type BulkResult, type BulkTargets, changeMany } from '../lists/bulk.ts'
import type { Context } from '../platform/context.ts'
import { deleteSessionsOfAll } from '../sessions/queries.ts'
import { sessionBounds } from '../sessions/checks.ts'
import { type AccountActor, notForTokens, requireAccess } from '../users/access.ts'
import { deleteUsers, findUserIds, lockUsers, setFlags, type User, type UsersRequest } from '../users/queries.ts'

// What superusers do with many accounts at once, with the rules of one.

type UsersChange = keyof typeof changes | 'delete'

/** What a change sets, if anything, and its action in the audit log. */
const changes = {
  activate: { audit: 'status-change', flag: 'is_active', value: true },
  deactivate: { audit: 'status-change', flag: 'is_active', value: false },
  make_superuser: { audit: 'role-change', flag: 'is_superuser', value: true },
  remove_superuser: { audit: 'role-change', flag: 'is_superuser', value: false },
  end_sessions: { audit: 'sessions-end', flag: undefined, value: false },
} as const satisfies Record<
  string,
  { audit: AuditAction; flag: 'is_active' | 'is_superuser' | undefined; value: boolean }
>

/** A batch delays other requests on SQLite. */
const ROWS_AT_ONCE = 100

interface Asked extends BulkTargets<Omit<UsersRequest, 'sort'>> {
  action: UsersChange
  /** Whether `end_sessions` ends the API tokens, too. */
  end_tokens?: boolean
}

/** @throws DomainError `forbidden`, and as `changeMany` */
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
      apply: (act, ids) => (action === 'delete' ? deleteBatch(act, ids) : changeBatch(act, { action, endTokens }, ids)),
    },
    signal,
  )
}

const OWN = 'The own account cannot be changed together with others'
const UNKNOWN = 'User not found'

interface AccountsChange {
  action: keyof typeof changes
  endTokens: boolean
}

/** The actor is an active superuser and is not changed, so one remains. */
async function changeBatch(act: Act<AccountActor>, asked: AccountsChange, ids: readonly string[]): Promise<BulkResult> {
  const { action } = asked
  const { audit, flag, value } = changes[action]
  const users = new Map((await lockUsers(act.tx, ids)).map((user) => [user.id, user]))
  const refused: BulkResult['refused'] = []
  const others: User[] = []
  for (const id of ids) {
    const user = users.get(id)
    if (!user) refused.push({ id, detail: UNKNOWN })
    else if (flag !== undefined && user[flag] === value) continue
    else if (id === act.actor.user.id) refused.push({ id, detail: OWN })
    else if (act.actor.token && action === 'activate' && user.is_superuser)
      refused.push({ id, detail: notForTokens().message })
    else others.push(user)
  }
  const changed = others.length === 0 ? [] : await apply(act, asked, others)
  for (const { id, removed } of changed) {
    const details = { ...(flag && { [flag]: { from: !value, to: value } }), ...removedDetails(removed) }
    act.audit(audit, { subjectId: id, ...(Object.keys(details).length > 0 && { details }) })
  }
  return { changed: changed.length, unchanged: ids.length - changed.length - refused.length, refused }
}

/** Changes accounts, with all consequences of `changeAccount`. @returns those that were changed */
async function apply(
  act: Act,
  { action, endTokens }: AccountsChange,
  users: readonly User[],
): Promise<readonly { id: string; removed?: Removed | undefined }[]> {
  const ids = users.map(({ id }) => id)
  const { flag, value } = changes[action]
  if (flag) await setFlags(act.tx, ids, flag, value)
  const hadSession = await deleteSessionsOfAll(act.tx, ids, sessionBounds(act))
  if (action === 'deactivate') {
    const removed = await endAccess(act, users)
    return users.map(({ id }) => ({ id, removed: removed.get(id) }))
  }
  const endsTokens = action === 'make_superuser' || (action === 'end_sessions' && endTokens)
  const ended = endsTokens ? await endApiTokens(act, ids) : undefined
  const changed = action === 'end_sessions' ? users.filter(({ id }) => hadSession.has(id) || ended?.has(id)) : users
  return changed.map(({ id }) => ({ id, removed: ended?.get(id) }))
}

async function deleteBatch({ tx, actor, audit }: Act<AccountActor>, ids: readonly string[]): Promise<BulkResult> {
  const others = ids.filter((id) => id !== actor.user.id)
  const deleted = new Set(others.length === 0 ? [] : await deleteUsers(tx, others))
  for (const subjectId of deleted) audit('account-delete', { subjectId })
  const kept = ids.filter((id) => !deleted.has(id))
  const refused = kept.map((id) => ({ id, detail: id === actor.user.id ? OWN : UNKNOWN }))
  return { changed: deleted.size, unchanged: 0, refused }
}
