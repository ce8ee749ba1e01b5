import { isUniqueFault } from './faults.ts'
import { deleteItemsOf, endItemCount } from './items.ts'
import type { Page, PageOf } from './page.ts'
import type { Db, Tx } from './store.ts'
import type { Flag } from './tables.ts'
import { addToTotal, totalOf } from './totals.ts'

/** An account. Its password's hash is not part of it. */
export interface User {
  id: string
  email: string
  full_name: string | null
  is_active: boolean
  is_superuser: boolean
  created_at: number
}

export interface NewUser extends User {
  email_key: string
  password_hash: string
}

/** What can be changed of an account. Absent keys keep their value. */
export type UserChanges = Partial<Omit<NewUser, 'id' | 'created_at'>>

export const userColumns = [
  'users.id',
  'users.email',
  'users.full_name',
  'users.is_active',
  'users.is_superuser',
  'users.created_at',
] as const

interface UserRow extends Omit<User, 'is_active' | 'is_superuser'> {
  is_active: Flag
  is_superuser: Flag
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    is_active: row.is_active === 1,
    is_superuser: row.is_superuser === 1,
    created_at: row.created_at,
  }
}

export const toFlag = (value: boolean): Flag => (value ? 1 : 0)

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** A page of all users, newest first, and how many there are, in one query: see listItems. */
export async function listUsers(db: Db, { skip, limit }: Page): Promise<PageOf<User>> {
  const total = totalOf(db, 'users')
  const all = db.selectFrom('users').select(['users.id', 'users.created_at'])
  const page = all.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(skip)
  const rows = await db
    .selectFrom(total.as('total'))
    .leftJoin(page.as('page'), (join) => join.onTrue())
    .leftJoin('users', 'users.id', 'page.id')
    .select(['total.count', ...userColumns])
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc')
    .execute()
  return { data: rows.flatMap((row) => (isUser(row) ? toUser(row) : [])), count: rows[0]?.count ?? 0 }
}

/** A page without rows is one row with the count alone. */
function isUser(row: { [key in keyof UserRow]: UserRow[key] | null }): row is UserRow {
  return row.id !== null
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

/** An account with what a password is checked against. */
export interface Credentials {
  user: User
  passwordHash: string
}

/** @param emailKey see domain/email-address.ts */
export async function findCredentials(
  db: Db,
  by: { emailKey: string } | { id: string },
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...userColumns, 'users.password_hash'])
    .where((e) => ('id' in by ? e('id', '=', by.id) : e('email_key', '=', by.emailKey)))
    .executeTakeFirst()
  return row && { user: toUser(row), passwordHash: row.password_hash }
}

export async function hasOtherActiveSuperuser(tx: Tx, id: string): Promise<boolean> {
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** @returns `undefined` when the address is taken; then the transaction has to be given up */
export async function insertUser(tx: Tx, user: NewUser): Promise<User | undefined> {
  const row = { ...user, is_active: toFlag(user.is_active), is_superuser: toFlag(user.is_superuser) }
  await addToTotal(tx, 'users', 1)
  const result = await tx
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows !== 1n) return undefined
  await tx.insertInto('item_counts').values({ owner_id: user.id, value: 0 }).execute()
  return toUser(row)
}

/** The address belongs to another account. The transaction is lost with it. */
export class EmailTaken extends Error {
  override name = 'EmailTaken'
}

/**
 * An account as it is now, and stays until this transaction ends: whoever wants to change it meanwhile waits.
 * @param expected what it was when it was looked at
 * @returns `undefined` when it is not there, or not as expected any more
 */
export async function lockUser(
  tx: Tx,
  id: string,
  expected: { passwordHash?: string; emailKey?: string } = {},
): Promise<User | undefined> {
  // A change that changes nothing is the one lock that SQLite and PostgreSQL (and its relatives) have in common.
  let query = tx
    .updateTable('users')
    .set((e) => ({ created_at: e.ref('created_at') }))
    .where('id', '=', id)
  if (expected.passwordHash !== undefined) query = query.where('password_hash', '=', expected.passwordHash)
  if (expected.emailKey !== undefined) query = query.where('email_key', '=', expected.emailKey)
  const row = await query.returning(userColumns).executeTakeFirst()
  return row && toUser(row)
}

/** @returns the account as it is then; `undefined` when it is not there @throws EmailTaken */
export async function updateUser(tx: Tx, id: string, changes: UserChanges): Promise<User | undefined> {
  const { is_active, is_superuser, ...others } = changes
  const columns = {
    ...others,
    ...(is_active !== undefined && { is_active: toFlag(is_active) }),
    ...(is_superuser !== undefined && { is_superuser: toFlag(is_superuser) }),
  }
  if (Object.keys(columns).length === 0) return findUser(tx, id)
  try {
    const query = tx.updateTable('users').set(columns).where('id', '=', id)
    const row = await query.returning(userColumns).executeTakeFirst()
    return row && toUser(row)
  } catch (error) {
    throw isUniqueFault(error) ? new EmailTaken(undefined, { cause: error }) : error
  }
}

/**
 * Deletes an account with all that belongs to it.
 * @param lastCheck throws where the account may not go after all; nobody else changes it from then on
 * @returns the account as it was; `undefined` when there is none, and then the transaction has to be given up
 */
export async function deleteUser(
  tx: Tx,
  id: string,
  now: number,
  lastCheck?: () => Promise<unknown>,
): Promise<User | undefined> {
  const items = await endItemCount(tx, id)
  if (items === undefined) return undefined
  await addToTotal(tx, 'users', -1)
  await deleteItemsOf(tx, id, items, now)
  if (lastCheck) {
    await lockUser(tx, id)
    await lastCheck()
  }
  const deleted = await tx.deleteFrom('users').where('id', '=', id).returning(userColumns).executeTakeFirst()
  return deleted && toUser(deleted)
}
