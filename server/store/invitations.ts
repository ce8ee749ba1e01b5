import type { Db, Tx } from './store.ts'
import { toUser, type User, userColumns } from './users.ts'

export interface Invitation {
  user_id: string
  mail_id: string
  told_hash: string | null
  created_at: number
}

/** Replaces the invitation that the account had, if any, with all its tokens. */
export async function replaceInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  const row = { ...invitation, mailed_hash: null }
  await tx
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** The token of the mail that is about to be sent; it replaces the one before. @returns false for a mail that is superseded */
export async function setMailedToken(tx: Tx, userId: string, mailId: string, tokenHash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ mailed_hash: tokenHash })
    .where('user_id', '=', userId)
    .where('mail_id', '=', mailId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Who is invited with a token, if it still holds and the account is active. */
export async function findInvited(db: Db, tokenHash: string, createdAfter: number): Promise<User | undefined> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .select(userColumns)
    .where((e) => e.or([e('mailed_hash', '=', tokenHash), e('told_hash', '=', tokenHash)]))
    .where('invitations.created_at', '>', createdAfter)
    .where('users.is_active', '=', 1)
    .executeTakeFirst()
  return row && toUser(row)
}

/** Uses an invitation up, with all its tokens. @returns false when it does not hold, or somebody else just used it */
export async function useInvitation(tx: Tx, tokenHash: string, createdAfter: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitations')
    .where((e) => e.or([e('mailed_hash', '=', tokenHash), e('told_hash', '=', tokenHash)]))
    .where('created_at', '>', createdAfter)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteInvitationOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute()
}

export async function deleteExpiredInvitations(db: Db, createdAfter: number): Promise<void> {
  await db.deleteFrom('invitations').where('created_at', '<=', createdAfter).execute()
}
