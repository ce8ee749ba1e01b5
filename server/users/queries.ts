import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { UserPublic, UsersReadUsersData } from '../contract/types.gen.ts'
import { totalOf } from '../platform/database/counts.ts'
import { refs } from '../platform/database/dialect.ts'
import { type StoredForm, storedOf, valuesOf } from '../platform/database/forms.ts'
import {
  type Filter,
  findIds,
  type List,
  type ListQuery,
  type ListRequest,
  type Only,
  type Page,
  type PageOf,
  readPage,
  streamRows,
  toListQuery,
} from '../platform/database/lists.ts'
import { normalizedTextsOf, searchColumn } from '../platform/database/search-columns.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { createVersionOf } from '../platform/precondition.ts'
import type { Flag, ProfileField, Tables } from '../tables.ts'
import { addActiveUsers, DAY, dayOf } from './days-queries.ts'

export interface User extends Required<
  Omit<UserPublic, 'created_at' | 'last_active_at' | 'email_confirmed_at' | 'mail_refused_at' | 'version'>
> {
  created_at: number
  /** The last use of a session of the account, accurate to a minute. */
  last_active_at: number | null
  /** When a mailed link, or the provider of company accounts, first confirmed the address. */
  email_confirmed_at: number | null
  /** When the mail server refused the last mail to the address for good. */
  mail_refused_at: number | null
}

/**
 * The fields of an account besides the address and the password. `form` is the form of the value in the database, if it
 * differs from the form in the contract. `initial` is the value in a new account, if it is not null.
 */
const profile: { [Field in ProfileField]: { form?: StoredForm; initial?: NonNullable<User[Field]> } } = {
  full_name: {},
}
export const profileFields = Object.keys(profile) as ProfileField[]

const ofProfile = <Value>(valueOf: (field: ProfileField) => Value) =>
  Object.fromEntries(profileFields.map((field) => [field, valueOf(field)])) as Record<ProfileField, Value>

export const versionOfUser = createVersionOf<User>({
  id: false,
  email: true,
  ...ofProfile(() => true),
  is_active: true,
  is_superuser: true,
  is_invited: true,
  created_at: true,
  last_active_at: false,
  email_confirmed_at: false,
  pending_email: false,
  mail_refused_at: false,
})

type Given = 'id' | 'email' | 'is_active' | 'is_superuser' | 'created_at'

export interface NewUser extends Pick<User, Given>, Partial<Omit<User, Given | 'is_invited'>> {
  email_key: string
  /** Null for an invited account, whose owner sets it later. Empty for an account that needs none. */
  password_hash: string | null
  password_set_at?: number | null
}

export type UserChanges = Partial<Omit<NewUser, 'id' | 'created_at' | 'last_active_at' | 'password_hash'>> & {
  password_hash?: string
}

const columns = [
  'id',
  'email',
  ...profileFields,
  'is_active',
  'is_superuser',
  'created_at',
  'last_active_at',
  'email_confirmed_at',
  'pending_email',
  'mail_refused_at',
  'is_invited',
] as const

const userColumns = columns.map((column) => `users.${column}` as const)
const credentialColumns = [...userColumns, 'users.password_hash'] as const
export const userRefs = refs(columns, 'users')

const forms = { is_active: 'flag', is_superuser: 'flag' } as const
const profileForms = Object.fromEntries(
  profileFields.flatMap((field) => (profile[field].form === undefined ? [] : [[field, profile[field].form]])),
)

const defaults = {
  ...ofProfile((field) => profile[field].initial ?? null),
  last_active_at: null,
  email_confirmed_at: null,
  pending_email: null,
  mail_refused_at: null,
}

type StoredProfile = Pick<Tables['users'], ProfileField>
type UserRow = Pick<Selectable<Tables['users']>, (typeof columns)[number]>

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    ...profileOf(row),
    is_active: row.is_active === 1,
    is_superuser: row.is_superuser === 1,
    created_at: row.created_at,
    last_active_at: row.last_active_at,
    email_confirmed_at: row.email_confirmed_at,
    pending_email: row.pending_email,
    mail_refused_at: row.mail_refused_at,
    is_invited: row.is_active === 1 && row.is_invited === 1,
  }
}

/** The values of the fields in `profile`, as the API has them. */
const profileOf = (row: UserRow) =>
  ({ ...ofProfile((field) => row[field]), ...valuesOf(row, profileForms) }) as object as Pick<User, ProfileField>

const searchedFields = ['email', 'full_name'] as const

const toFlag = (value: boolean): Flag => (value ? 1 : 0)

export function toNewRow(user: NewUser) {
  const given = { ...defaults, ...user }
  return {
    ...given,
    ...storedOf(given, forms),
    ...(storedOf(given, profileForms) as StoredProfile),
    is_invited: toFlag(user.password_hash === null),
    password_hash: user.password_hash ?? '',
    password_set_at: user.password_hash ? user.created_at : null,
    ...normalizedTextsOf(user, searchedFields),
  }
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

type UserSort = 'created_at' | 'email' | 'full_name' | 'last_active_at'

const list: List<UserSort> = {
  table: 'users',
  columns: userRefs,
  searched: searchedFields.map(searchColumn),
  sorts: {
    created_at: { column: 'created_at' },
    email: { column: 'email_search', isText: true },
    full_name: { column: 'full_name_search', isText: true, isNullable: true },
    last_active_at: { column: 'last_active_at', isNullable: true },
  },
}

export type UsersRequest = Omit<NonNullable<UsersReadUsersData['query']>, keyof Page>

type Status = 'active' | 'inactive' | 'invited'

/** Each user is in one group. If a filter includes the largest group, the users of the other groups are counted. */
type Groups<Name extends string> = Record<Name, { where: RawBuilder<unknown>; hasMost?: true }>

/** @param asked names of groups, separated by commas */
function inGroups(groups: Groups<string>, asked: string): Filter | undefined {
  const names = asked.split(',')
  const [chosen, others] = [true, false].map((isChosen) =>
    Object.entries(groups).flatMap(([name, group]) => (names.includes(name) === isChosen ? [group] : [])),
  )
  if (!chosen || !others || others.length === 0) return undefined
  const where = sql`(${sql.join(
    chosen.map((group) => group.where),
    sql` or `,
  )})`
  const hasMost = chosen.some((group) => group.hasMost)
  return {
    where: chosen.length === 1 && chosen[0] ? chosen[0].where : where,
    ...(hasMost && { rest: others.map((group) => group.where) }),
  }
}

type FilterName = Exclude<keyof UsersRequest, keyof ListRequest<never>>

// SQLite uses a partial index only if the statement has the same constant.
const isSuperuser = sql`is_superuser = 1`
const isInactive = sql`is_active = 0`
const isInvited = sql`is_active = 1 and is_invited = 1`

const roles: Groups<'superuser' | 'user'> = {
  superuser: { where: isSuperuser },
  user: { where: sql`is_superuser = 0`, hasMost: true },
}

const statuses: Groups<Status> = {
  active: { where: sql`is_active = 1 and is_invited = 0`, hasMost: true },
  inactive: { where: isInactive },
  invited: { where: isInvited },
}

const confirmations: Record<NonNullable<UsersRequest['confirmed']>, Filter> = {
  yes: { where: sql`email_confirmed_at is not null` },
  no: { where: sql`email_confirmed_at is null` },
}

const isNeverActive = sql`last_active_at is null`
/** The database uses the index only for exactly this expression. */
const seenAt = sql`coalesce(last_active_at, created_at)`

function idle(isIdle: RawBuilder<unknown>, isNotIdle: RawBuilder<unknown>, since: number): Filter {
  return {
    where: sql`${isIdle} and (token_used_at is null or token_used_at <= ${since})`,
    rest: [isNotIdle, sql`${isIdle} and token_used_at > ${since}`],
  }
}

/** The type requires every filter of the contract, so that the compiler reports a missing one. */
const filterBy: {
  [Name in FilterName]-?: (
    value: NonNullable<UsersRequest[Name]>,
    given: UsersRequest,
    now: number,
  ) => Filter | undefined
} = {
  role: (asked) => inGroups(roles, asked),
  status: (asked) => inGroups(statuses, asked),
  confirmed: (confirmed) => confirmations[confirmed],
  never_active: (which) => (which === 'only' ? { where: isNeverActive } : undefined),
  idle_days(days, given, now) {
    const since = now - days * DAY
    return given.never_active === 'from_creation'
      ? idle(sql`${seenAt} <= ${since}`, sql`${seenAt} > ${since}`, since)
      : idle(sql`(last_active_at <= ${since} or ${isNeverActive})`, sql`last_active_at > ${since}`, since)
  },
}

function queryOf(given: UsersRequest, now: number): ListQuery {
  const filters = (Object.keys(filterBy) as FilterName[]).flatMap((name) => {
    const by = filterBy[name] as (value: unknown, ...rest: [UsersRequest, number]) => Filter | undefined
    return (given[name] === undefined ? undefined : by(given[name], given, now)) ?? []
  })
  return toListQuery(list, given, { filters, total: totalOf('users') })
}

export async function listUsers(db: Db, given: UsersRequest, now: number, page: Page): Promise<PageOf<User>> {
  const { data, count } = await readPage<UserRow>(db, list, queryOf(given, now), page)
  return { data: data.map(toUser), count }
}

export async function findUserIds(db: Db, given: UsersRequest, now: number, only: Only): Promise<string[]> {
  return findIds(db, list, queryOf(given, now), only)
}

type UserCounts = Record<Status, number>

/** The number of users with each status, from one snapshot. */
export async function countUsersByStatus(db: Db): Promise<UserCounts> {
  const { rows } = await sql<UserCounts>`
    select total.count - inactive.count - invited.count as active, inactive.count as inactive, invited.count as invited
    from (${totalOf('users')}) as total,
      (select count(*) as count from users where ${isInactive}) as inactive,
      (select count(*) as count from users where ${isInvited}) as invited`.execute(db)
  return rows[0] ?? { active: 0, inactive: 0, invited: 0 }
}

/**
 * Counts users who were not active after `since`, and whose API tokens were not used after it. For a user who was never
 * active, the time of creation counts.
 */
export async function countIdleUsers(db: Db, since: number): Promise<number> {
  const isIdle = sql`${seenAt} <= ${since}`
  // Each part is counted from an index.
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from users where ${isIdle})
      - (select count(*) from users where ${isIdle} and token_used_at > ${since}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

export async function* streamUsers(db: Db, given: UsersRequest, now: number, rowsAtOnce: number) {
  for await (const rows of streamRows<UserRow>(db, list, queryOf(given, now), rowsAtOnce)) yield rows.map(toUser)
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export async function readUserVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('users').select(userColumns).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, versionOfUser(toUser(row))]))
}

/** Records an activity. @returns whether it is the first one of the day, for `countActiveUser` */
export async function touchUser(db: Db, id: string, usedAt: number): Promise<boolean> {
  const day = dayOf(usedAt)
  const isToday = sql<SqlBool>`last_active_at >= ${day} and last_active_at < ${day + DAY}`
  const touch = db.updateTable('users').set({ last_active_at: usedAt }).where('id', '=', id)
  const again = await touch.where(isToday).executeTakeFirst()
  if (again.numUpdatedRows > 0n) return false
  const first = await touch.where(sql<SqlBool>`(${isToday}) is not true`).executeTakeFirst()
  return first.numUpdatedRows > 0n
}

/** Adds one to the active users of a day. All transactions change the same row, so each does it at its end. */
export async function countActiveUser(db: Db, at: number): Promise<void> {
  await addActiveUsers(db, dayOf(at), 1)
}

export interface Credentials {
  user: User
  /** Absent if the account has no password. */
  passwordHash: string | undefined
}

/** @param by.emailKey see server/platform/lib/email-address.ts */
export async function findCredentials(db: Db, by: { emailKey: string } | { id: string }) {
  const row = await db
    .selectFrom('users')
    .select(credentialColumns)
    .where((e) => ('id' in by ? e('id', '=', by.id) : e('email_key', '=', by.emailKey)))
    .executeTakeFirst()
  return row && toCredentials(row)
}

function toCredentials(row: UserRow & { password_hash: string }): Credentials {
  return { user: toUser(row), passwordHash: row.password_hash === '' ? undefined : row.password_hash }
}

const KEYS_AT_ONCE = 1_000

export async function findKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE)
    const rows = await db.selectFrom('users').select('email_key').where('email_key', 'in', some).execute()
    for (const row of rows) found.add(row.email_key)
  }
  return found
}

/** Invited superusers do not count. */
export async function hasOtherActiveSuperuser(tx: Tx, id: string): Promise<boolean> {
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .where('is_invited', '=', 0)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** @throws a unique violation when the address is taken */
export async function insertUser(tx: Tx, user: NewUser): Promise<User> {
  const row = toNewRow(user)
  await tx.insertInto('users').values(row).execute()
  return toUser(row)
}

/** Locks an account until the transaction ends. @returns `undefined` for an unknown id, or if `expected` has changed */
export async function lockUser(tx: Tx, id: string, expected: { passwordHash?: string; emailKey?: string } = {}) {
  let query = lock(tx).where('id', '=', id)
  if (expected.passwordHash !== undefined) query = query.where('password_hash', '=', expected.passwordHash)
  if (expected.emailKey !== undefined) query = query.where('email_key', '=', expected.emailKey)
  const row = await query.returning(userColumns).executeTakeFirst()
  return row && toUser(row)
}

/** Locks accounts until the transaction ends. Leaves out unknown ids. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<User[]> {
  return (await lock(tx).where('id', 'in', ids).returning(userColumns).execute()).map(toUser)
}

/** Locks the account of a challenge, which may have expired, until the transaction ends. */
export async function lockOwnerOfChallenge(tx: Tx, digest: string): Promise<Credentials | undefined> {
  const owner = tx.selectFrom('challenges').select('user_id').where('digest', '=', digest)
  const row = await lock(tx).where('id', '=', owner).returning(credentialColumns).executeTakeFirst()
  return row && toCredentials(row)
}

/** An update without effect is the only lock of rows that works on SQLite, PostgreSQL and its relatives. */
function lock(tx: Tx) {
  return tx.updateTable('users').set((e) => ({ created_at: e.ref('created_at') }))
}

/** The transaction must have locked the accounts. Deactivated accounts lose their pending address. */
export async function setFlags(tx: Tx, ids: readonly string[], flag: 'is_active' | 'is_superuser', value: boolean) {
  const changes: Partial<Record<typeof flag, Flag>> & { pending_email?: null } = { [flag]: toFlag(value) }
  if (flag === 'is_active' && !value) changes.pending_email = null
  await tx.updateTable('users').set(changes).where('id', 'in', ids).execute()
}

/** @returns the changed account; `undefined` if there is none @throws a unique violation when the address is taken */
export async function updateUser(tx: Tx, id: string, changes: UserChanges): Promise<User | undefined> {
  const values = {
    ...(changes as Omit<UserChanges, ProfileField>),
    ...storedOf(changes, forms),
    ...(storedOf(changes, profileForms) as Partial<StoredProfile>),
    ...normalizedTextsOf(changes, searchedFields),
    ...(changes.password_hash !== undefined && { is_invited: 0 as const }),
  }
  if (Object.keys(values).length === 0) return findUser(tx, id)
  const query = tx.updateTable('users').set(values).where('id', '=', id)
  const row = await query.returning(userColumns).executeTakeFirst()
  return row && toUser(row)
}

export async function hasPassword(db: Db, id: string): Promise<boolean> {
  const account = db.selectFrom('users').select('id').where('id', '=', id).where('password_hash', '!=', '')
  return (await account.executeTakeFirst()) !== undefined
}

/** Removes a password that was set before a time, or at an unknown time. @returns whether there was such a password */
export async function deleteOlderPassword(tx: Tx, id: string, before: number): Promise<boolean> {
  const query = tx
    .updateTable('users')
    .set({ password_hash: '', password_set_at: null })
    .where('id', '=', id)
    .where('password_hash', '!=', '')
    .where((e) => e.or([e('password_set_at', 'is', null), e('password_set_at', '<', before)]))
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** @returns whether the account still had the hash `before` */
export async function replacePasswordHash(tx: Tx, id: string, { before, after }: { before: string; after: string }) {
  const query = tx.updateTable('users').set({ password_hash: after }).where('id', '=', id)
  return (await query.where('password_hash', '=', before).executeTakeFirst()).numUpdatedRows > 0n
}

/** Turns an invited account into one without a password. */
export async function endInvitation(tx: Tx, id: string, confirmedAt: number | null): Promise<void> {
  const values = { is_invited: 0, email_confirmed_at: confirmedAt } as const
  await tx.updateTable('users').set(values).where('id', '=', id).execute()
}

export async function setPendingEmail(tx: Tx, id: string, address: string | null): Promise<void> {
  await tx.updateTable('users').set({ pending_email: address }).where('id', '=', id).execute()
}

/** Remembers whether the mail server refused the last mail to an address. @param refusedAt null if it took the mail */
export async function setMailRefused(tx: Tx, key: string, refusedAt: number | null): Promise<void> {
  const accounts = tx.updateTable('users').set({ mail_refused_at: refusedAt }).where('email_key', '=', key)
  await (refusedAt === null ? accounts.where('mail_refused_at', 'is not', null) : accounts).execute()
}

/** Deletes accounts and rows that refer to them, and hides rows that they own. @returns the ids of existing accounts */
export async function deleteUsers(tx: Tx, ids: readonly string[]): Promise<string[]> {
  return (await tx.deleteFrom('users').where('id', 'in', ids).returning('id').execute()).map(({ id }) => id)
}
