import { isWithin } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { Tables } from '../tables.ts'

// Transactions that write these tables have locked the account.

/** The second factors of an account. */
export interface Factors {
  /** Of the authenticator app, if one is set up. */
  appId: string | null
  passkeys: number
  recoveryCodes: number
}

export async function readFactors(db: Db, userId: string): Promise<Factors> {
  const row = await db
    .selectNoFrom((e) => [
      e
        .selectFrom('authenticator_apps')
        .select('id')
        .where('user_id', '=', userId)
        .where('expires_at', 'is', null)
        .as('app_id'),
      e
        .selectFrom('passkeys')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('passkeys'),
      e
        .selectFrom('recovery_codes')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('codes'),
    ])
    .executeTakeFirstOrThrow()
  return { appId: row.app_id, passkeys: row.passkeys ?? 0, recoveryCodes: row.codes ?? 0 }
}

export interface AuthenticatorApp {
  id: string
  secret: string
  expires_at: number | null
}

export function findApp(db: Db, userId: string): Promise<AuthenticatorApp | undefined> {
  return db
    .selectFrom('authenticator_apps')
    .select(['id', 'secret', 'expires_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export interface NewApp extends AuthenticatorApp {
  user_id: string
  last_step: number
}

/** Replaces an app that is not set up. */
export async function replaceApp(tx: Tx, app: NewApp): Promise<void> {
  await tx
    .deleteFrom('authenticator_apps')
    .where('user_id', '=', app.user_id)
    .where('expires_at', 'is not', null)
    .execute()
  await tx.insertInto('authenticator_apps').values(app).execute()
}

/** Uses the code of a time step, which also sets up the app. @returns false if it, or a later one, was used */
export async function claimStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const query = tx
    .updateTable('authenticator_apps')
    .set({ last_step: step, expires_at: null })
    .where('id', '=', id)
    .where('last_step', '<', step)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Deletes an app that is set up, with the recovery codes. @returns false if there is none */
export async function deleteApp(tx: Tx, userId: string): Promise<boolean> {
  const query = tx.deleteFrom('authenticator_apps').where('user_id', '=', userId).where('expires_at', 'is', null)
  const { numDeletedRows } = await query.executeTakeFirst()
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

/** A log-in whose password was right. */
export type OpenLogIn = Tables['open_log_ins']

export async function insertLogIn(tx: Tx, logIn: OpenLogIn): Promise<void> {
  await tx.insertInto('open_log_ins').values(logIn).execute()
}

/** Deletes the oldest open log-ins of an account. @param keep how many stay */
export async function deleteOldestLogIns(tx: Tx, userId: string, keep: number): Promise<void> {
  const surplus = tx
    .selectFrom('open_log_ins')
    .select('digest')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .orderBy('digest')
    .limit(100)
    .offset(keep)
  await tx.deleteFrom('open_log_ins').where('digest', 'in', surplus).execute()
}

export function findLogIn(db: Db, digest: string, expires: Period): Promise<OpenLogIn | undefined> {
  return db
    .selectFrom('open_log_ins')
    .selectAll()
    .where('digest', '=', digest)
    .where(isWithin('expires_at', expires))
    .executeTakeFirst()
}

export async function updateLogIn(
  tx: Tx,
  digest: string,
  changes: Partial<Pick<OpenLogIn, 'secret' | 'wrong_codes'>>,
): Promise<void> {
  await tx.updateTable('open_log_ins').set(changes).where('digest', '=', digest).execute()
}

export async function deleteLogIn(tx: Tx, digest: string): Promise<void> {
  await tx.deleteFrom('open_log_ins').where('digest', '=', digest).execute()
}

/** Those of the accounts that have a second factor. */
export async function findOwnersOfFactors(db: Db, userIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .union(
      db
        .selectFrom('authenticator_apps')
        .select('user_id')
        .where('user_id', 'in', userIds)
        .where('expires_at', 'is', null),
    )
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Deletes the passkeys, the app, the recovery codes, and what was begun with them. */
export async function deleteFactors(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (const table of ['passkeys', 'authenticator_apps', 'recovery_codes'] as const)
    await tx.deleteFrom(table).where('user_id', 'in', userIds).execute()
  await deleteBegun(tx, userIds)
}

/** Deletes open log-ins and ceremonies. */
export async function deleteBegun(tx: Tx, userIds: readonly string[]): Promise<void> {
  for (const table of ['open_log_ins', 'ceremonies'] as const)
    await tx.deleteFrom(table).where('user_id', 'in', userIds).execute()
}
