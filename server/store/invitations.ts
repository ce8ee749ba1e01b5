import type { Period } from '../lib/clock.ts'
import { isWithin } from './dialect.ts'
import type { Db, Tx } from './store.ts'
import { toUser, type User, userColumns } from './users.ts'

export interface Invitation {
  user_id: string
  mail_id: string
  told_hash: string | null
  created_at: number
}

/** Replaces the account's invitation, if any, with its tokens. */
export async function replaceInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  const row = { ...invitation, mailed_hash: null }
  await tx
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** Sets the token of the mail that is about to be sent. @returns false if a newer mail has replaced this one */
export async function setMailedToken(tx: Tx, userId: string, mailId: string, tokenHash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ mailed_hash: tokenHash })
    .where('user_id', '=', userId)
    .where('mail_id', '=', mailId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The invited user of a token, if it is valid and the account is active. */
export async function findInvited(db: Db, tokenHash: string, created: Period): Promise<User | undefined> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .select(userColumns)
    .where((e) => e.or([e('mailed_hash', '=', tokenHash), e('told_hash', '=', tokenHash)]))
    .where(isWithin('invitations.created_at', created))
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && toUser(row)
}

/** Consumes an invitation with its tokens. @returns false when the token is invalid or was just used */
export async function useInvitation(tx: Tx, tokenHash: string, created: Period): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitations')
    .where((e) => e.or([e('mailed_hash', '=', tokenHash), e('told_hash', '=', tokenHash)]))
    .where(isWithin('created_at', created))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteInvitationOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute()
}
