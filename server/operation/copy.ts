import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Store, Tx } from '../platform/database/store.ts'
import { resources } from '../resources.ts'
import type { ResourceTable, Tables } from '../tables.ts'

type Table = keyof Tables
type Row = Record<string, string | number | null>

/** Every table with its primary key. A table comes after the tables to which it refers, and counts come last. */
const ownKeys: {
  [table in Exclude<Table, ResourceTable | 'counts' | 'totals' | 'changes'>]: readonly (string & keyof Tables[table])[]
} = {
  users: ['id'],
  active_days: ['day'],
  sessions: ['id'],
  api_tokens: ['id'],
  passkey_handles: ['user_id'],
  passkeys: ['id'],
  identities: ['id'],
  disconnected_identities: ['user_id', 'issuer', 'subject'],
  challenges: ['digest'],
  authenticator_apps: ['id'],
  recovery_codes: ['user_id', 'digest'],
  deleted_owners: ['owner_id'],
  known_networks: ['user_id', 'network'],
  outbox: ['id'],
  files: ['id'],
  limits: ['key'],
  audit: ['id'],
  locks: ['name'],
  jobs: ['id'],
}
const keys = new Map<Table, readonly string[]>(Object.entries(ownKeys) as [Table, string[]][])
for (const { table } of resources) keys.set(table, ['id'])
keys.set('counts', ['owner_id', 'name']).set('totals', ['name', 'stripe'])
const tables = [...keys.keys()]

/** Tables that are not empty in a new database, because migrations, triggers or an idle server insert rows. */
const seeded = new Set<Table>(['totals', 'counts', 'locks', 'jobs'])

const ROWS_AT_ONCE = 500

interface Contents {
  rows: number
  /** The sum of the SHA-256 hashes of all rows, in hexadecimal digits. */
  checksum: string
}

export type CopiedTable = Contents & { table: Table }

/** The target is not empty, or the copy differs. Nothing was changed. */
export class CopyRefused extends Error {
  override name = 'CopyRefused'
}

/**
 * Copies all tables to an empty database of the same version, in one transaction on each side, and compares them.
 * @throws CopyRefused; then the target is unchanged
 */
export async function copyAll(from: Store, to: Store): Promise<CopiedTable[]> {
  const isLong = true
  const copy = async (source: Tx, target: Tx): Promise<CopiedTable[]> => {
    await requireEmpty(target)
    // Foreign keys are checked at the commit, because a row can link to a row that is inserted later.
    await sql.raw(isSqlite(target) ? 'pragma defer_foreign_keys = on' : 'set constraints all deferred').execute(target)
    const copied: CopiedTable[] = []
    for (const table of tables) {
      if (seeded.has(table)) await target.deleteFrom(table).execute()
      copied.push({ table, ...(await readContents(source, table, (rows) => insertRows(target, table, rows))) })
    }
    // Triggers have recorded each inserted row for clients that watch for changes. The target has no clients yet.
    await target.deleteFrom('changes').execute()
    for (const { table, ...sent } of copied) {
      const arrived = await readContents(target, table)
      if (describe(arrived) !== describe(sent))
        throw new CopyRefused(`${table} differs after the copy: ${describe(sent)} became ${describe(arrived)}`)
    }
    return copied
  }
  return from.transaction((source) => to.transaction((target) => copy(source, target), { isLong }), { isLong })
}

async function requireEmpty(target: Tx): Promise<void> {
  for (const table of tables.filter((name) => !seeded.has(name))) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (rows.length > 0) throw new CopyRefused(`The target database is not empty: ${table} has rows`)
  }
}

async function readContents(
  tx: Tx,
  table: Table,
  onRows: (rows: Row[]) => Promise<void> = async () => {},
): Promise<Contents> {
  const key = keys.get(table) ?? []
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let count = 0
  let sum = 0n
  let last: Row | undefined
  do {
    const after = last && sql.join(key.map((column) => last?.[column]))
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)}
      ${after ? sql`where (${columns}) > (${after})` : sql``}
      order by ${columns} limit ${ROWS_AT_ONCE}
    `.execute(tx)
    if (rows.length > 0) await onRows(rows)
    for (const row of rows) sum += digestOf(row)
    count += rows.length
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
  } while (last)
  return { rows: count, checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') }
}

/** Sorts columns by name, because their order may differ between databases. */
function digestOf(row: Row): bigint {
  const columns = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return BigInt(`0x${hash('sha256', JSON.stringify(columns))}`)
}

async function insertRows(tx: Tx, table: Table, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(tx)
}

const describe = ({ rows, checksum }: Contents): string => `${rows} rows (${checksum})`
