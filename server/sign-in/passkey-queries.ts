import type { AuthenticatorTransport } from '@simplewebauthn/server'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Flag, Tables } from '../tables.ts'

export interface Passkey extends Pick<PasskeyRow, 'id' | 'name' | 'created_at' | 'last_used_at'> {
  is_synced: boolean
}

type PasskeyRow = Tables['passkeys']

export interface StoredCredential extends Pick<
  PasskeyRow,
  'id' | 'user_id' | 'credential_id' | 'public_key' | 'counter' | 'is_syncable'
> {
  handle: string
}

/** Gives an account a handle for authenticators, unless it has one. @returns the handle */
export async function ensureHandle(tx: Tx, userId: string, handle: string): Promise<string> {
  const kept = await tx
    .insertInto('passkey_handles')
    .values({ user_id: userId, handle })
    .onConflict((c) => c.column('user_id').doUpdateSet((e) => ({ handle: e.ref('passkey_handles.handle') })))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return kept.handle
}

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at', 'is_synced'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, is_synced: row.is_synced === 1 }))
}

export interface Descriptor {
  id: string
  transports: AuthenticatorTransport[]
}

export async function listDescriptors(db: Db, userId: string): Promise<Descriptor[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.credential_id,
    transports: JSON.parse(row.transports) as AuthenticatorTransport[],
  }))
}

export function findCredential(db: Db, credentialId: string): Promise<StoredCredential | undefined> {
  return db
    .selectFrom('passkeys')
    .innerJoin('passkey_handles', 'passkey_handles.user_id', 'passkeys.user_id')
    .select(['passkeys.id', 'passkeys.user_id', 'handle', 'credential_id', 'public_key', 'counter', 'is_syncable'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRow): Promise<void> {
  await tx.insertInto('passkeys').values(passkey).execute()
}

/** Records a use. @returns false when the passkey was deleted, or another use changed its counter meanwhile */
export async function recordPasskeyUse(
  tx: Tx,
  { id, counter }: StoredCredential,
  use: { counter: number; is_synced: Flag; last_used_at: number },
): Promise<boolean> {
  let query = tx.updateTable('passkeys').set(use).where('id', '=', id)
  if (use.is_synced === 0) query = query.where('counter', '=', counter)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export async function renamePasskey(tx: Tx, id: string, userId: string, name: string): Promise<void> {
  await tx.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId).execute()
}

export async function deletePasskey(tx: Tx, id: string, userId: string): Promise<boolean> {
  const query = tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}
