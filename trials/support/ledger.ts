import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { type Kysely, sql } from 'kysely'
import { readConfig } from '../../server/platform/config.ts'
import { hashToken } from '../../server/platform/lib/secret-token.ts'
import { openConfiguredStore } from '../../server/platform/database/open.ts'
import type { Db, Store } from '../../server/platform/database/store.ts'
import type { AccountState, Person } from './person.ts'

interface ItemTables {
  items: { id: string; owner_id: string; title: string }
}

export const itemsOf = (db: Db) => db as unknown as Kysely<ItemTables>

export async function withStore<T>(dataDir: string, look: (store: Store) => Promise<T>): Promise<T> {
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: process.env['DATABASE_URL'] })
  const store = await openConfiguredStore(config, () => undefined)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

export class Snapshot {
  readonly accounts = new Map<string, StoredAccount>()

  static async read({ db }: Store, dataDir: string): Promise<Snapshot> {
    const snapshot = new Snapshot()
    const byId = new Map<string, StoredAccount>()
    for (const { id, email, password_hash } of await db.selectFrom('users').selectAll().execute()) {
      const factors = { hasApp: false, recoveryCodes: 0 }
      const account = { id, passwordHash: password_hash, tokenHash: null, sessions: 0, ...factors, items: new Map() }
      snapshot.accounts.set(email, account)
      byId.set(id, account)
    }
    function note(userId: string | null, facts: (account: StoredAccount) => Partial<StoredAccount>): void {
      const account = byId.get(userId ?? '')
      if (account) Object.assign(account, facts(account))
    }
    for (const { user_id } of await db.selectFrom('sessions').select('user_id').execute())
      note(user_id, ({ sessions }) => ({ sessions: sessions + 1 }))
    for (const { user_id } of await db.selectFrom('authenticator_apps').select('user_id').execute())
      note(user_id, () => ({ hasApp: true }))
    for (const { user_id } of await db.selectFrom('recovery_codes').select('user_id').execute())
      note(user_id, ({ recoveryCodes }) => ({ recoveryCodes: recoveryCodes + 1 }))
    const links = db.selectFrom('challenges').select(['user_id', 'digest']).where('purpose', '=', 'password-reset')
    for (const { user_id, digest } of await links.execute()) note(user_id, () => ({ tokenHash: digest }))
    for (const { owner_id, title, id } of await itemsOf(db).selectFrom('items').selectAll().execute())
      byId.get(owner_id)?.items.set(title, id)
    const aboutPasswords = ['password-changed', 'factors-removed']
    const queued = await db.selectFrom('outbox').select('address').where('kind', 'in', aboutPasswords).execute()
    for (const { address } of queued) snapshot.notified.add(address)
    for (const address of deliveredPasswordMails(dataDir)) snapshot.notified.add(address)
    return snapshot
  }

  /** Addresses with a queued or delivered mail about a new password or a removed second factor. */
  readonly notified = new Set<string>()

  async holds(person: Person, state: AccountState): Promise<boolean> {
    if (state.isTold && !this.notified.has(person.email)) return false
    const account = this.accounts.get(person.email)
    if (!account || !state.exists) return account === undefined && !state.exists
    const { passwordHash, tokenHash, sessions, hasApp, recoveryCodes, items } = account
    return (
      sessions === state.sessions &&
      hasApp === state.hasApp &&
      recoveryCodes === state.recoveryCodes &&
      tokenHash === (state.resetToken === null ? null : hashToken(state.resetToken)) &&
      [...items.keys()].toSorted().join('\n') === state.items.join('\n') &&
      (await verifiesCached(state.password, passwordHash))
    )
  }
}

interface StoredAccount {
  id: string
  passwordHash: string
  tokenHash: string | null
  sessions: number
  hasApp: boolean
  recoveryCodes: number
  items: Map<string, string>
}

const opened = new Map<string, string>()

/** Caches results, because most hashes are unchanged and each verification takes tens of milliseconds. */
async function verifiesCached(password: string, passwordHash: string): Promise<boolean> {
  if (opened.get(passwordHash) === password) return true
  const matches = await verify(passwordHash, password)
  if (matches) opened.set(passwordHash, password)
  return matches
}

const delivered = new Map<string, string>()

function deliveredPasswordMails(dataDir: string): string[] {
  const folder = join(dataDir, 'outbox')
  if (!existsSync(folder)) return []
  for (const file of readdirSync(folder)) {
    if (delivered.has(file) || !file.endsWith('.eml') || !/-(password-changed|factors-removed)-/.test(file)) continue
    delivered.set(file, /^To: <?([^>\r\n]+)/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '')
  }
  return [...delivered.values()]
}

/** Also records the outcome of requests without a response. @returns lost and partial changes */
export async function settle(people: readonly Person[], store: Store, dataDir: string): Promise<string[]> {
  const snapshot = await Snapshot.read(store, dataDir)
  const faults: string[] = []
  for (const person of people) {
    const account = snapshot.accounts.get(person.email)
    const possible = person.underWay ? [person.underWay, person.state] : [person.state]
    const actual = await findAsync(possible, (state) => snapshot.holds(person, state))
    if (!actual) {
      const { passwordHash: _secret, ...shown } = account ?? { passwordHash: '' }
      faults.push(`${person.email} is ${show(shown)} instead of ${possible.map(show).join(' or ')}`)
    }
    person.settle(actual ?? person.state)
    person.id = account?.id ?? person.id
    for (const [title, id] of account?.items ?? []) person.itemIds.set(title, id)
  }
  return faults
}

function show(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (part instanceof Map ? [...part.keys()] : part))
}

async function findAsync<T>(list: readonly T[], matches: (entry: T) => Promise<boolean>): Promise<T | undefined> {
  for (const entry of list) if (await matches(entry)) return entry
  return undefined
}

const contradictions: Record<string, ReturnType<typeof sql<{ n: number }>>> = {
  'items without an owner': sql`
    select count(*) as n from items
    where owner_id not in (select id from users) and owner_id not in (select owner_id from deleted_owners)`,
  'wrong counts of items': sql`
    select count(*) as n from (select owner_id, count(*) as value from items group by owner_id) as owned
    full join counts on counts.owner_id = owned.owner_id and counts.name = 'items'
    where coalesce(owned.value, 0) <> coalesce(counts.value, 0)`,
  'error of the total of items': sql`
    select (select cast(sum(value) as bigint) from totals where name = 'items') - (select count(*) from items) as n`,
  'error of the total of users': sql`
    select (select cast(sum(value) as bigint) from totals where name = 'users') - (select count(*) from users) as n`,
  'sessions without a user': sql`select count(*) as n from sessions where user_id not in (select id from users)`,
  'challenges without their user': sql`select count(*) as n from challenges where user_id not in (select id from users)`,
  'texts without a normalized text': sql`
    select (select count(*) from users where email_search is null) +
      (select count(*) from items where title_search is null) as n`,
}

/** Triggers maintain the search index on SQLite, so its counts could differ. */
const contradictionsOfSqlite: typeof contradictions = Object.fromEntries(
  ['users', 'items'].map((table) => [
    `error of the number of ${table} in the search index`,
    sql<{ n: number }>`
      select (select count(*) from ${sql.table(`${table}_search`)}) - (select count(*) from ${sql.table(table)}) as n`,
  ]),
)

export async function findContradictions({ db }: Store): Promise<string[]> {
  const faults: string[] = []
  const isSqlite = process.env['DATABASE_URL'] === undefined
  for (const [name, query] of Object.entries({ ...contradictions, ...(isSqlite && contradictionsOfSqlite) })) {
    const { rows } = await query.execute(db)
    const n = Number(rows[0]?.n)
    if (n !== 0) faults.push(`${name}: ${n}`)
  }
  if (isSqlite) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
    faults.push(...rows.map((row) => row.integrity_check).filter((line) => line !== 'ok'))
  }
  return faults
}
