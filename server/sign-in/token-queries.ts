import { isWithin } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { Flag, TokenPurpose } from '../tables.ts'
import { toUser, type User, userColumns } from '../users/queries.ts'

export interface NewOneTimeToken {
  /** The id of the mail that the token is for, if any. */
  id: string
  /** Absent until the mail is sent. */
  digest: string | null
  expires_at: number
  is_mailed: Flag
}

/** Invalidates the account's earlier tokens of this purpose. All new ones are valid until one of them is used. */
export async function replaceTokens(
  tx: Tx,
  userId: string,
  purpose: TokenPurpose,
  tokens: readonly NewOneTimeToken[],
): Promise<void> {
  await deleteTokensOf(tx, [userId], purpose)
  const rows = tokens.map((token) => ({ ...token, user_id: userId, purpose }))
  await tx.insertInto('one_time_tokens').values(rows).execute()
}

/** Sets the token of the mail that is about to be sent. @returns false if the token was replaced or deleted */
export async function setDigest(tx: Tx, id: string, userId: string, digest: string): Promise<boolean> {
  const query = tx.updateTable('one_time_tokens').set({ digest }).where('id', '=', id).where('user_id', '=', userId)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The owner of a token, if it is valid and the account is active. @param expires when valid tokens expire */
export async function findTokenOwner(
  db: Db,
  purpose: TokenPurpose,
  digest: string,
  expires: Period,
): Promise<User | undefined> {
  const row = await db
    .selectFrom('one_time_tokens')
    .innerJoin('users', 'users.id', 'one_time_tokens.user_id')
    .select(userColumns)
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .where(isWithin('expires_at', expires))
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && toUser(row)
}

/** The number of active accounts that have a token of this purpose which expires in this time. */
export async function countExpiring(db: Db, purpose: TokenPurpose, from: number, to: number): Promise<number> {
  const { count } = await db
    .selectFrom('one_time_tokens')
    .innerJoin('users', 'users.id', 'one_time_tokens.user_id')
    .select((e) => e.fn.count<number>('user_id').distinct().as('count'))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', to)
    .where('users.is_active', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Consumes a token, and with it the account's others of this purpose. The transaction has locked the account.
 * @returns `undefined` when it is invalid or was just used
 */
export async function useToken(
  tx: Tx,
  purpose: TokenPurpose,
  digest: string,
  expires: Period,
): Promise<{ isMailed: boolean } | undefined> {
  const used = await tx
    .selectFrom('one_time_tokens')
    .select(['user_id', 'is_mailed'])
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .where(isWithin('expires_at', expires))
    .executeTakeFirst()
  if (!used) return undefined
  await deleteTokensOf(tx, [used.user_id], purpose)
  return { isMailed: used.is_mailed === 1 }
}

/** @param purpose that of the tokens to delete; by default all */
export async function deleteTokensOf(tx: Tx, userIds: readonly string[], purpose?: TokenPurpose): Promise<void> {
  const tokens = tx.deleteFrom('one_time_tokens').where('user_id', 'in', userIds)
  await (purpose === undefined ? tokens : tokens.where('purpose', '=', purpose)).execute()
}
