import { type SqlBool, sql } from 'kysely'
import { isWithin } from '../platform/database/dialect.ts'
import type { PageOf } from '../platform/database/lists.ts'
import { statement, type ValueOf } from '../platform/database/statement.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { Flag, Tables } from '../tables.ts'
import { toUser, type User, userColumns } from '../users/queries.ts'

type NewSession = Tables['sessions']

/** A session without its token, for users. */
export type Session = Omit<NewSession, 'token_hash' | 'user_id' | 'authenticated_at' | 'authenticated_by'>

export interface LiveSession {
  id: string
  lastUsedAt: number
  /** When its person last authenticated. */
  authenticatedAt: number
  user: User
}

/** When a valid session was created and last used. */
export interface SessionBounds {
  created: Period
  used: Period
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

const toValues = ({ created, used }: SessionBounds) => ({
  createdAfter: created.after,
  createdUntil: created.until,
  usedAfter: used.after,
  usedUntil: used.until,
})

interface FindValues extends ReturnType<typeof toValues> {
  key: string
}

const boundsFrom = (value: ValueOf<FindValues>): SessionBounds => ({
  created: { after: value('createdAfter'), until: value('createdUntil') },
  used: { after: value('usedAfter'), until: value('usedUntil') },
})

/** Whether a session is valid. */
const isValid = ({ created, used }: SessionBounds) =>
  sql<SqlBool>`${isWithin('sessions.created_at', created)} and ${isWithin('sessions.last_used_at', used)}`

const findBy = (column: 'sessions.id' | 'sessions.token_hash') =>
  statement((db, value: ValueOf<FindValues>) =>
    validSessions(db, boundsFrom(value))
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([...userColumns, 'sessions.id as session_id', 'sessions.last_used_at', 'sessions.authenticated_at'])
      .where(column, '=', value('key'))
      .where('users.is_active', '=', 1),
  )
const findById = findBy('sessions.id')
const findByTokenHash = findBy('sessions.token_hash')

/** The session of a token or id, unless it has expired or its account is deactivated. */
export async function findLiveSession(
  db: Db,
  by: { tokenHash: string } | { id: string },
  bounds: SessionBounds,
): Promise<LiveSession | undefined> {
  const [find, key] = 'id' in by ? [findById, by.id] : [findByTokenHash, by.tokenHash]
  const { rows } = await find(db, { key, ...toValues(bounds) })
  const [row] = rows
  if (!row) return undefined
  const { session_id: id, last_used_at: lastUsedAt, authenticated_at: authenticatedAt } = row
  return { id, lastUsedAt, authenticatedAt, user: toUser(row) }
}

/**
 * Locks a session until the transaction ends, so that a log-out, a new password or a new role waits.
 * @param isSuperuser the role that its account must have
 * @returns when its person last authenticated; `undefined` as in `findLiveSession`, and with another role
 */
export async function lockSession(
  tx: Tx,
  id: string,
  isSuperuser: boolean,
  bounds: SessionBounds,
): Promise<number | undefined> {
  const { rows } = await lock(tx, { key: id, isSuperuser: isSuperuser ? 1 : 0, ...toValues(bounds) })
  return rows[0]?.authenticated_at
}

// The same lock as in lockUser.
const lock = statement((db, value: ValueOf<FindValues & { isSuperuser: Flag }>) =>
  db
    .updateTable('sessions')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .where('id', '=', value('key'))
    .where(isValid(boundsFrom(value)))
    .where((e) =>
      e.exists(
        e
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'sessions.user_id')
          .where('users.is_active', '=', 1)
          .where('users.is_superuser', '=', value('isSuperuser')),
      ),
    )
    .returning('authenticated_at'),
)

/** The valid sessions of an account, last used first. @param limit for the rows, not for the count */
export async function listSessions(
  db: Db,
  userId: string,
  bounds: SessionBounds,
  limit: number,
): Promise<PageOf<Session>> {
  const own = validSessions(db, bounds).where('user_id', '=', userId)
  const data = await own
    .select(['id', 'created_at', 'last_used_at', 'user_agent', 'address'])
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return { data, count: data.length < limit ? data.length : await countRows(own) }
}

/** Those of the sessions that are valid, and whether they are of superusers. */
export async function findLiveSessions(
  db: Db,
  ids: readonly string[],
  bounds: SessionBounds,
): Promise<Map<string, boolean>> {
  const rows = await validSessions(db, bounds)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'users.is_superuser'])
    .where('sessions.id', 'in', ids)
    .where('users.is_active', '=', 1)
    .execute()
  return new Map(rows.map(({ id, is_superuser }) => [id, is_superuser === 1]))
}

/** Counts the valid sessions of all accounts. */
export function countSessions(db: Db, bounds: SessionBounds): Promise<number> {
  return countRows(validSessions(db, bounds))
}

function validSessions(db: Db, bounds: SessionBounds) {
  return db.selectFrom('sessions').where(isValid(bounds))
}

async function countRows(sessions: ReturnType<typeof validSessions>): Promise<number> {
  const { count } = await sessions.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

export async function touchSession(
  db: Db,
  id: string,
  use: Pick<NewSession, 'last_used_at' | 'user_agent' | 'address'>,
): Promise<void> {
  await db.updateTable('sessions').set(use).where('id', '=', id).where('last_used_at', '<', use.last_used_at).execute()
}

/** Records that the person of a session authenticated again. */
export async function updateAuthentication(
  tx: Tx,
  id: string,
  by: Pick<NewSession, 'authenticated_at' | 'authenticated_by'>,
): Promise<void> {
  await tx.updateTable('sessions').set(by).where('id', '=', id).execute()
}

/** @returns false when the account does not have this session any more */
export async function deleteSession(db: Db, id: string, userId: string): Promise<boolean> {
  const query = db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

/** @param except a session to keep @returns the number of deleted sessions */
export async function deleteSessionsOf(tx: Tx, userIds: readonly string[], except?: string): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', 'in', userIds)
  if (except !== undefined) query = query.where('id', '!=', except)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Ends all sessions of accounts. @returns the ids of those that had a valid one */
export async function deleteSessionsOfAll(
  tx: Tx,
  userIds: readonly string[],
  bounds: SessionBounds,
): Promise<Set<string>> {
  const valid = validSessions(tx, bounds).where('user_id', 'in', userIds).select('user_id').distinct()
  const had = new Set((await valid.execute()).map(({ user_id }) => user_id))
  await tx.deleteFrom('sessions').where('user_id', 'in', userIds).execute()
  return had
}

/** Some sessions that have expired. The last use has no index, as it changes often, so this may take long. */
export async function findExpiredSessions(db: Db, { created, used }: SessionBounds, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where((e) => e.or([e('created_at', '<=', created.after), e('last_used_at', '<=', used.after)]))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteSessions(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('sessions').where('id', 'in', ids).execute()
}
