import { type SqlBool, sql } from 'kysely'
import { isWithin, ref } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { AuthenticationMethod, Tables } from '../tables.ts'
import { toUser, userRefs } from '../users/queries.ts'

type NewSession = Tables['sessions']
type NewApiToken = Tables['api_tokens']

export type Session = Omit<NewSession, 'token_hash' | 'user_id' | 'authenticated_at' | 'authenticated_by'>

export type ApiToken = Omit<NewApiToken, 'token_hash' | 'user_id'>

/** The session of a person, or the API token of a program. */
export interface Credential {
  kind: 'sessions' | 'api_tokens'
  id: string
}

export interface Validity {
  sessions: { created: Period; used: Period }
  api_tokens: { created: Period; now: number }
}

function isValid(kind: Credential['kind'], { sessions, api_tokens: tokens }: Validity) {
  return kind === 'sessions'
    ? sql<SqlBool>`${isWithin('sessions.created_at', sessions.created)}
        and ${isWithin('sessions.last_used_at', sessions.used)}`
    : sql<SqlBool>`${isWithin('api_tokens.created_at', tokens.created)} and api_tokens.expires_at > ${tokens.now}`
}

// These queries run with each request, so they are SQL texts, because the query builder is slower.

type UserRow = Parameters<typeof toUser>[0]

export async function findSession(db: Db, tokenHash: string, validity: Validity) {
  const { rows } = await sql<UserRow & { session_id: string; used_at: number; authenticated_at: number }>`
    select ${userRefs}, sessions.id as session_id, sessions.last_used_at as used_at, sessions.authenticated_at
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${tokenHash} and users.is_active = 1 and ${isValid('sessions', validity)}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return { id: row.session_id, lastUsedAt: row.used_at, authenticatedAt: row.authenticated_at, user: toUser(row) }
}

export async function findApiToken(db: Db, tokenHash: string, validity: Validity) {
  type Row = UserRow & { token_id: string; token_name: string; token_scope: NewApiToken['scope'] }
  const { rows } = await sql<Row & { used_at: number | null }>`
    select ${userRefs}, api_tokens.id as token_id, api_tokens.name as token_name, api_tokens.scope as token_scope,
      api_tokens.last_used_at as used_at
    from api_tokens join users on users.id = api_tokens.user_id
    where api_tokens.token_hash = ${tokenHash} and users.is_active = 1 and ${isValid('api_tokens', validity)}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  return { id: row.token_id, name: row.token_name, scope: row.token_scope, lastUsedAt: row.used_at, user: toUser(row) }
}

/**
 * Locks a credential, so that nobody can end it or change the role of its account before the transaction ends.
 * @param isSuperuser the role that its account must have
 * @returns when a session was last authenticated; null for an API token; `undefined` when it is not valid
 */
export async function lockCredential(tx: Tx, { kind, id }: Credential, isSuperuser: boolean, validity: Validity) {
  // An update without effect locks the row, as in `lockUser`.
  const { rows } = await sql<{ authenticated_at: number | null }>`
    update ${ref(kind)} set created_at = created_at
    where id = ${id} and ${isValid(kind, validity)} and exists (
      select 1 from users where users.id = user_id and is_active = 1 and is_superuser = ${isSuperuser ? 1 : 0})
    returning ${kind === 'sessions' ? sql`authenticated_at` : sql`null as authenticated_at`}`.execute(tx)
  return rows[0]?.authenticated_at
}

/** @returns for each valid credential, by its id, whether its account is a superuser */
export async function findRoles(db: Db, kind: Credential['kind'], ids: readonly string[], validity: Validity) {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; is_superuser: number }>`
    select ${ref(`${kind}.id`)}, users.is_superuser from ${ref(kind)} join users on users.id = user_id
    where ${ref(`${kind}.id`)} in (${sql.join(ids)}) and users.is_active = 1 and ${isValid(kind, validity)}`.execute(db)
  return new Map(rows.map(({ id, is_superuser }) => [id, is_superuser === 1]))
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function insertApiToken(tx: Tx, token: NewApiToken): Promise<void> {
  await tx.insertInto('api_tokens').values(token).execute()
}

/** Returns the last used sessions first. @param limit bounds the rows, not the count */
export async function listSessions(db: Db, userId: string, validity: Validity, limit: number) {
  const own = validSessions(db, validity).where('user_id', '=', userId)
  const data = await own
    .select(['id', 'created_at', 'last_used_at', 'user_agent', 'address'])
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return { data, count: data.length < limit ? data.length : await countRows(own) }
}

/** Returns the newest tokens first. @param expiredAfter leaves out tokens that expired before this time */
export async function listApiTokens(db: Db, userId: string, expiredAfter: number): Promise<ApiToken[]> {
  return db
    .selectFrom('api_tokens')
    .select(['id', 'name', 'scope', 'created_at', 'expires_at', 'last_used_at', 'address'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', expiredAfter)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function countSessions(db: Db, validity: Validity): Promise<number> {
  return countRows(validSessions(db, validity))
}

export async function countApiTokens(tx: Tx, userId: string, now: number): Promise<number> {
  const tokens = tx.selectFrom('api_tokens').where('user_id', '=', userId).where('expires_at', '>', now)
  const { count } = await tokens.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

function validSessions(db: Db, validity: Validity) {
  return db.selectFrom('sessions').where(isValid('sessions', validity))
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

/** Records the last use of a token. Its account keeps the time after the token has ended. */
export async function touchApiToken(
  db: Db,
  { id, userId }: { id: string; userId: string },
  use: { last_used_at: number; address: string | null },
): Promise<void> {
  const { last_used_at: at } = use
  const token = db.updateTable('api_tokens').set(use).where('id', '=', id)
  await token.where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', at)])).execute()
  const user = db.updateTable('users').set({ token_used_at: at }).where('id', '=', userId)
  await user.where((e) => e.or([e('token_used_at', 'is', null), e('token_used_at', '<', at)])).execute()
}

export async function updateAuthentication(tx: Tx, id: string, at: number, by: AuthenticationMethod): Promise<void> {
  const values = { authenticated_at: at, authenticated_by: by }
  await tx.updateTable('sessions').set(values).where('id', '=', id).execute()
}

/** @returns false when the account does not have this session any more */
export async function deleteSession(db: Db, id: string, userId: string): Promise<boolean> {
  const query = db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export async function deleteApiToken(tx: Tx, id: string, userId: string): Promise<{ name: string } | undefined> {
  const query = tx.deleteFrom('api_tokens').where('id', '=', id).where('user_id', '=', userId)
  return query.returning('name').executeTakeFirst()
}

/** @param except a session to keep @returns the number of deleted sessions */
export async function deleteSessionsOf(tx: Tx, userIds: readonly string[], except?: string): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', 'in', userIds)
  if (except !== undefined) query = query.where('id', '!=', except)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** @returns the ids of accounts that had a valid session */
export async function deleteSessionsOfAll(tx: Tx, userIds: readonly string[], validity: Validity) {
  const valid = validSessions(tx, validity).where('user_id', 'in', userIds).select('user_id').distinct()
  const had = new Set((await valid.execute()).map(({ user_id }) => user_id))
  await deleteSessionsOf(tx, userIds)
  return had
}

/** @param createdBefore keeps newer tokens @returns the number of deleted tokens that had not expired, by account */
export async function deleteApiTokensOf(tx: Tx, userIds: readonly string[], now: number, createdBefore = Infinity) {
  const tokens = tx.deleteFrom('api_tokens').where('user_id', 'in', userIds)
  const deleted = await (createdBefore === Infinity ? tokens : tokens.where('created_at', '<', createdBefore))
    .returning(['user_id', 'expires_at'])
    .execute()
  const ended = new Map<string, number>()
  for (const { user_id, expires_at } of deleted) if (expires_at > now) ended.set(user_id, (ended.get(user_id) ?? 0) + 1)
  return ended
}

/** Finds some expired sessions. This may take long: the last use has no index, because it changes often. */
export async function findExpiredSessions(db: Db, { sessions }: Validity, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where((e) => e.or([e('created_at', '<=', sessions.created.after), e('last_used_at', '<=', sessions.used.after)]))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteSessions(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('sessions').where('id', 'in', ids).execute()
}
