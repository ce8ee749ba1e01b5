import { type SqlBool, sql } from 'kysely'
import { isWithin } from '../platform/database/dialect.ts'
import { statement, type ValueOf } from '../platform/database/statement.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { ApiTokenScope, Flag, Tables } from '../tables.ts'
import { toUser, type User, userColumns } from '../users/queries.ts'

type NewApiToken = Tables['api_tokens']

/** A token without what it grants access by, for users. */
export type ApiToken = Omit<NewApiToken, 'token_hash' | 'user_id'>

export interface LiveApiToken extends Pick<NewApiToken, 'id' | 'name' | 'scope'> {
  lastUsedAt: number | null
  user: User
}

/** When a valid token was created, and now. */
export interface ApiTokenBounds {
  created: Period
  now: number
}

const toValues = ({ created, now }: ApiTokenBounds) => ({
  createdAfter: created.after,
  createdUntil: created.until,
  now,
})

interface FindValues extends ReturnType<typeof toValues> {
  key: string
}

const boundsFrom = (value: ValueOf<FindValues>): ApiTokenBounds => ({
  created: { after: value('createdAfter'), until: value('createdUntil') },
  now: value('now'),
})

const isValid = ({ created, now }: ApiTokenBounds) =>
  sql<SqlBool>`${isWithin('api_tokens.created_at', created)} and api_tokens.expires_at > ${now}`

const findBy = (column: 'api_tokens.id' | 'api_tokens.token_hash') =>
  statement((db, value: ValueOf<FindValues>) =>
    db
      .selectFrom('api_tokens')
      .innerJoin('users', 'users.id', 'api_tokens.user_id')
      .select([
        ...userColumns,
        'api_tokens.id as token_id',
        'api_tokens.name as token_name',
        'api_tokens.scope',
        'api_tokens.last_used_at',
      ])
      .where(column, '=', value('key'))
      .where(isValid(boundsFrom(value)))
      .where('users.is_active', '=', 1),
  )
const findById = findBy('api_tokens.id')
const findByTokenHash = findBy('api_tokens.token_hash')

/** The token of a digest or id, unless it has expired or its account is deactivated. */
export async function findLiveApiToken(
  db: Db,
  by: { tokenHash: string } | { id: string },
  bounds: ApiTokenBounds,
): Promise<LiveApiToken | undefined> {
  const [find, key] = 'id' in by ? [findById, by.id] : [findByTokenHash, by.tokenHash]
  const { rows } = await find(db, { key, ...toValues(bounds) })
  const [row] = rows
  if (!row) return undefined
  const { token_id: id, token_name: name, scope, last_used_at: lastUsedAt } = row
  return { id, name, scope, lastUsedAt, user: toUser(row) }
}

/** Those of the tokens that are valid, and whether they are of superusers. */
export async function findLiveApiTokens(
  db: Db,
  ids: readonly string[],
  bounds: ApiTokenBounds,
): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(['api_tokens.id', 'users.is_superuser'])
    .where('api_tokens.id', 'in', ids)
    .where(isValid(bounds))
    .where('users.is_active', '=', 1)
    .execute()
  return new Map(rows.map(({ id, is_superuser }) => [id, is_superuser === 1]))
}

/**
 * Locks a token until the transaction ends, so that its end or a new role of its account waits.
 * @returns false when it is not valid any more, or has another scope or role
 */
export async function lockApiToken(
  tx: Tx,
  { id, scope, isSuperuser }: { id: string; scope: ApiTokenScope; isSuperuser: boolean },
  bounds: ApiTokenBounds,
): Promise<boolean> {
  const { rows } = await lock(tx, { key: id, scope, isSuperuser: isSuperuser ? 1 : 0, ...toValues(bounds) })
  return rows.length > 0
}

// The same lock as in lockUser.
const lock = statement((db, value: ValueOf<FindValues & { scope: ApiTokenScope; isSuperuser: Flag }>) =>
  db
    .updateTable('api_tokens')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .where('id', '=', value('key'))
    .where('scope', '=', value('scope'))
    .where(isValid(boundsFrom(value)))
    .where((e) =>
      e.exists(
        e
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'api_tokens.user_id')
          .where('users.is_active', '=', 1)
          .where('users.is_superuser', '=', value('isSuperuser')),
      ),
    )
    .returning('id'),
)

/** Newest first. @param expiredAfter leaves out those that expired before */
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

/** Counts those that have not expired. */
export async function countApiTokens(tx: Tx, userId: string, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('api_tokens')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApiToken(tx: Tx, token: NewApiToken): Promise<void> {
  await tx.insertInto('api_tokens').values(token).execute()
}

/** @returns the deleted token; `undefined` when the account does not have it */
export async function deleteApiToken(tx: Tx, id: string, userId: string): Promise<{ name: string } | undefined> {
  const query = tx.deleteFrom('api_tokens').where('id', '=', id).where('user_id', '=', userId)
  return query.returning('name').executeTakeFirst()
}

/**
 * Ends tokens of accounts for good.
 * @param createdBefore leaves newer ones
 * @returns by account, the number of those that had not expired
 */
export async function deleteApiTokensOf(
  tx: Tx,
  userIds: readonly string[],
  now: number,
  createdBefore = Infinity,
): Promise<Map<string, number>> {
  const tokens = tx.deleteFrom('api_tokens').where('user_id', 'in', userIds)
  const deleted = await (createdBefore === Infinity ? tokens : tokens.where('created_at', '<', createdBefore))
    .returning(['user_id', 'expires_at'])
    .execute()
  const ended = deleted.filter(({ expires_at }) => expires_at > now)
  return new Map(
    Array.from(
      Map.groupBy(ended, ({ user_id }) => user_id),
      ([id, of]) => [id, of.length],
    ),
  )
}

/** Records the last use of a token, which its account keeps when the token has ended. */
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
