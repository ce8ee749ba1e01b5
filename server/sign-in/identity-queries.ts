import type { Db, Tx } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'
import { deleteChallenges } from './challenge-queries.ts'

// Connected company accounts. Transactions that write them have locked the account.

type IdentityRow = Tables['identities']
type Connection = Pick<IdentityRow, 'user_id' | 'issuer' | 'subject'>

export type Identity = Omit<IdentityRow, 'user_id' | 'subject'>

export function listIdentities(db: Db, userId: string): Promise<Identity[]> {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function findOwnerOfIdentity(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const identity = db.selectFrom('identities').select('user_id').where('issuer', '=', issuer)
  return (await identity.where('subject', '=', subject).executeTakeFirst())?.user_id
}

export async function hasIdentity(db: Db, userId: string, issuer: string): Promise<boolean> {
  const own = db.selectFrom('identities').select('id').where('user_id', '=', userId).where('issuer', '=', issuer)
  return (await own.limit(1).executeTakeFirst()) !== undefined
}

/** Records that a log-in with the same address must not connect this identity again. */
export async function insertDisconnection(tx: Tx, identity: Connection): Promise<void> {
  await tx.insertInto('disconnected_identities').values(identity).execute()
}

export async function deleteDisconnection(tx: Tx, { user_id, issuer, subject }: Connection): Promise<void> {
  const rows = tx.deleteFrom('disconnected_identities').where('user_id', '=', user_id)
  await rows.where('issuer', '=', issuer).where('subject', '=', subject).execute()
}

export async function isDisconnected(db: Db, { user_id, issuer, subject }: Connection): Promise<boolean> {
  const row = db.selectFrom('disconnected_identities').select('user_id').where('user_id', '=', user_id)
  return (await row.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()) !== undefined
}

/** @throws a unique violation when an account has it */
export async function insertIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx.insertInto('identities').values(identity).execute()
}

/** @returns false when the account does not have the identity any more */
export async function recordIdentityUse(tx: Tx, { user_id, issuer, subject }: Connection, usedAt: number) {
  const own = tx.updateTable('identities').set({ last_used_at: usedAt }).where('user_id', '=', user_id)
  const { numUpdatedRows } = await own.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
  return numUpdatedRows > 0n
}

export function deleteIdentity(tx: Tx, id: string, userId: string) {
  const query = tx.deleteFrom('identities').where('id', '=', id).where('user_id', '=', userId)
  return query.returning(['issuer', 'subject', 'email']).executeTakeFirst()
}

export async function findOwnersOfIdentities(db: Db, userIds: readonly string[]): Promise<string[]> {
  const owners = db.selectFrom('identities').select('user_id').distinct().where('user_id', 'in', userIds)
  return (await owners.execute()).map(({ user_id }) => user_id)
}

/** Deletes the identities of accounts, and log-ins that began with them. @param before deletes only older identities */
export async function deleteIdentities(tx: Tx, userIds: readonly string[], before?: number): Promise<void> {
  const identities = tx.deleteFrom('identities').where('user_id', 'in', userIds)
  await (before === undefined ? identities : identities.where('created_at', '<', before)).execute()
  await deleteChallenges(tx, userIds, ['oidc', 'oidc-log-in'])
}
