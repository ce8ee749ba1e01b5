import type { Db } from './store.ts'

/** An account as everyone above the store knows it: the contract's UserPublic. Its password's hash is not part of it. */
export interface User {
  id: string
  email: string
  full_name: string | null
  is_active: boolean
  is_superuser: boolean
  created_at: string
}

export interface NewUser extends Omit<User, 'created_at'> {
  email_key: string
  password_hash: string
  created_at: number
}

export const userColumns = [
  'users.id',
  'users.email',
  'users.full_name',
  'users.is_active',
  'users.is_superuser',
  'users.created_at',
] as const

interface UserRow extends Omit<User, 'is_active' | 'is_superuser' | 'created_at'> {
  is_active: 0 | 1
  is_superuser: 0 | 1
  created_at: number
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    is_active: row.is_active === 1,
    is_superuser: row.is_superuser === 1,
    created_at: new Date(row.created_at).toISOString(),
  }
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** What a log-in is checked against. @param emailKey see domain/email-address.ts */
export async function findCredentials(db: Db, emailKey: string) {
  const row = await db
    .selectFrom('users')
    .select([...userColumns, 'users.password_hash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
  return row && { user: toUser(row), passwordHash: row.password_hash }
}

/** @returns false when the address is taken, and then nothing was written */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values({ ...user, is_active: user.is_active ? 1 : 0, is_superuser: user.is_superuser ? 1 : 0 })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
