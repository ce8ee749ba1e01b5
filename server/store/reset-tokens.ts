import type { Period } from '../lib/clock.ts'
import { isWithin } from './dialect.ts'
import type { Db, Tx } from './store.ts'
import { toUser, type User, userColumns } from './users.ts'

/** Replaces the account's token, if any. */
export async function replaceResetToken(
  tx: Tx,
  token: { user_id: string; token_hash: string; created_at: number },
): Promise<void> {
  await tx
    .insertInto('reset_tokens')
    .values(token)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ token_hash: token.token_hash, created_at: token.created_at }),
    )
    .execute()
}

/** The owner of a token, if it is valid and the account is active. */
export async function findResetTokenOwner(db: Db, tokenHash: string, created: Period): Promise<User | undefined> {
  const row = await db
    .selectFrom('reset_tokens')
    .innerJoin('users', 'users.id', 'reset_tokens.user_id')
    .select(userColumns)
    .where('token_hash', '=', tokenHash)
    .where(isWithin('reset_tokens.created_at', created))
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && toUser(row)
}

/** Consumes a token. @returns false when it is invalid or was just used */
export async function useResetToken(tx: Tx, tokenHash: string, created: Period): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('reset_tokens')
    .where('token_hash', '=', tokenHash)
    .where(isWithin('created_at', created))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteResetTokenOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}
