import type { Db } from './store.ts'
import { toUser, type User, userColumns } from './users.ts'

export interface NewSession {
  id: string
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
}

/** A session that holds, with the account it belongs to. */
export interface LiveSession {
  id: string
  lastUsedAt: number
  user: User
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** The session of a token, unless it is over by age or idleness, or its account is deactivated. */
export async function findLiveSession(
  db: Db,
  tokenHash: string,
  bounds: { createdAfter: number; usedAfter: number },
): Promise<LiveSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...userColumns, 'sessions.id as session_id', 'sessions.last_used_at'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.created_at', '>', bounds.createdAfter)
    .where('sessions.last_used_at', '>', bounds.usedAfter)
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && { id: row.session_id, lastUsedAt: row.last_used_at, user: toUser(row) }
}

export async function touchSession(db: Db, id: string, usedAt: number): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: usedAt }).where('id', '=', id).execute()
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}
