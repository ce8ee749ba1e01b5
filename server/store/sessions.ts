import type { Period } from '../lib/clock.ts'
import { isWithin } from './dialect.ts'
import type { PageOf } from './page.ts'
import type { Db, Tx } from './store.ts'
import { toUser, type User, userColumns } from './users.ts'

export interface NewSession {
  id: string
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
  user_agent: string | null
  address: string | null
}

/** A session without its token, for users. */
export type Session = Omit<NewSession, 'token_hash' | 'user_id'>

export interface LiveSession {
  id: string
  lastUsedAt: number
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

/** The session of a token or id, unless it has expired or its account is deactivated. */
export async function findLiveSession(
  db: Db,
  by: { tokenHash: string } | { id: string },
  bounds: SessionBounds,
): Promise<LiveSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...userColumns, 'sessions.id as session_id', 'sessions.last_used_at'])
    .where((e) => ('id' in by ? e('sessions.id', '=', by.id) : e('sessions.token_hash', '=', by.tokenHash)))
    .where(isWithin('sessions.created_at', bounds.created))
    .where(isWithin('sessions.last_used_at', bounds.used))
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && { id: row.session_id, lastUsedAt: row.last_used_at, user: toUser(row) }
}

/** Locks a session until the transaction ends, so that a log-out, a new password or a new role waits. */
export async function lockSession(tx: Tx, id: string): Promise<void> {
  // The same lock as in lockUser.
  await tx
    .updateTable('sessions')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .where('id', '=', id)
    .execute()
}

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

/** Counts the valid sessions of all accounts. */
export function countSessions(db: Db, bounds: SessionBounds): Promise<number> {
  return countRows(validSessions(db, bounds))
}

function validSessions(db: Db, { created, used }: SessionBounds) {
  return db.selectFrom('sessions').where(isWithin('created_at', created)).where(isWithin('last_used_at', used))
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

/** @returns false when the account does not have this session any more */
export async function deleteSession(db: Db, id: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @param except a session to keep @returns the number of deleted sessions */
export async function deleteSessionsOf(tx: Tx, userId: string, except?: string): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId)
  if (except !== undefined) query = query.where('id', '!=', except)
  return Number((await query.executeTakeFirst()).numDeletedRows)
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
