import type { Db, Tx } from '../platform/database/store.ts'
import type { Tables } from '../tables.ts'
import { deleteChallenges } from './challenge-queries.ts'

// Transactions that write these tables have locked the account.

export interface Factors {
  appId: string | null
  passkeys: number
  recoveryCodes: number
}

export async function readFactors(db: Db, userId: string): Promise<Factors> {
  const counted = (table: 'passkeys' | 'recovery_codes') => {
    const rows = db.selectFrom(table).select((e) => e.fn.countAll<number>().as('count'))
    return rows.where('user_id', '=', userId)
  }
  const app = db.selectFrom('authenticator_apps').select('id').where('user_id', '=', userId)
  const row = await db
    .selectNoFrom([app.as('app_id'), counted('passkeys').as('passkeys'), counted('recovery_codes').as('codes')])
    .executeTakeFirstOrThrow()
  return { appId: row.app_id, passkeys: row.passkeys ?? 0, recoveryCodes: row.codes ?? 0 }
}

export type AuthenticatorApp = Pick<Tables['authenticator_apps'], 'id' | 'secret'>

export function findApp(db: Db, userId: string): Promise<AuthenticatorApp | undefined> {
  return db.selectFrom('authenticator_apps').select(['id', 'secret']).where('user_id', '=', userId).executeTakeFirst()
}

export async function insertApp(tx: Tx, app: Tables['authenticator_apps']): Promise<void> {
  await tx.insertInto('authenticator_apps').values(app).execute()
}

/** Marks the code of a time step as used. @returns false if this code or a later one was used before */
export async function claimStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const app = tx.updateTable('authenticator_apps').set({ last_step: step }).where('id', '=', id)
  return (await app.where('last_step', '<', step).executeTakeFirst()).numUpdatedRows > 0n
}

export async function deleteApp(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('authenticator_apps').where('user_id', '=', userId).executeTakeFirst()
  await replaceRecoveryCodes(tx, userId, [])
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, digests: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (digests.length === 0) return
  const rows = digests.map((digest) => ({ user_id: userId, digest }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

export async function deleteRecoveryCode(tx: Tx, userId: string, digest: string): Promise<boolean> {
  const query = tx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('digest', '=', digest)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export async function findOwnersOfFactors(db: Db, userIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .union(db.selectFrom('authenticator_apps').select('user_id').where('user_id', 'in', userIds))
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function deleteFactors(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (const table of ['passkeys', 'authenticator_apps', 'recovery_codes'] as const)
    await tx.deleteFrom(table).where('user_id', 'in', userIds).execute()
  await deleteChallenges(tx, userIds, ['passkey', 'log-in', 'authenticator-app'])
}

export async function deleteOlderFactors(tx: Tx, userId: string, before: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '<', before).execute()
  const apps = tx.deleteFrom('authenticator_apps').where('user_id', '=', userId)
  const older = apps.where((e) => e.or([e('created_at', 'is', null), e('created_at', '<', before)]))
  if ((await older.executeTakeFirst()).numDeletedRows > 0n) await replaceRecoveryCodes(tx, userId, [])
}
