import { sql } from 'kysely'
import { isSqlite, isWithin } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'
import type { LimitName } from './table.ts'

export interface Counter {
  name: LimitName
  key: string
  max: number
  window: number
  number?: number
}

export type LimitUse = Counter & { startedAt: number; used: number }

/** Longer than any window. A stored window that ends later was begun by a wrong clock, and counts as over. */
const MAX_WINDOW_MS = 25 * 3_600_000

export interface Counted {
  used: number
  endsAt: number
}

function current(db: Db, keys: readonly string[], now: number) {
  const counters = db.selectFrom('limits').where('key', 'in', keys)
  return counters.where('ends_at', '>', now).where('ends_at', '<=', now + MAX_WINDOW_MS)
}

export async function findUsed(db: Db, keys: readonly string[], now: number): Promise<Map<string, Counted>> {
  if (keys.length === 0) return new Map()
  const rows = await current(db, keys, now).select(['key', 'used', 'ends_at']).execute()
  return new Map(rows.map(({ key, used, ends_at: endsAt }) => [key, { used, endsAt }]))
}

/** The window of a stored counter has ended. The time of a new use is `excluded.started_at`. */
const isOver = sql.raw(
  `(limits.ends_at <= excluded.started_at or limits.ends_at > excluded.started_at + ${MAX_WINDOW_MS})`,
)

/** Uses one statement, so that concurrent calls cannot exceed `max`. @returns the counters that had enough left */
export async function insertUses(db: Db, counters: readonly Counter[], now: number): Promise<LimitUse[]> {
  if (counters.length === 0) return []
  // All transactions lock counters in this order, so that two transactions do not wait for each other.
  const sorted = counters.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const rows = sorted.map(({ key, window, number = 1 }) => sql`(${key}, ${now}, ${now + window}, ${number})`)
  const most = sorted.map(({ key, max, number = 1 }) => sql`when ${key} then cast(${max - number} as integer)`)
  const counted = await sql<{ key: string; started_at: number; used: number }>`
    insert into limits (key, started_at, ends_at, used)
    values ${sql.join(rows)}
    on conflict (key) do update set
      started_at = case when ${isOver} then excluded.started_at else limits.started_at end,
      ends_at = case when ${isOver} then excluded.ends_at else limits.ends_at end,
      used = case when ${isOver} then excluded.used else limits.used + excluded.used end
    where ${isOver} or limits.used <= case limits.key ${sql.join(most, sql` `)} end
    returning key, started_at, used
  `.execute(db)
  const found = new Map(counted.rows.map((row) => [row.key, row]))
  return counters.flatMap((counter) => {
    const row = found.get(counter.key)
    return row ? { ...counter, startedAt: row.started_at, used: row.used } : []
  })
}

export async function deleteUses(db: Db, uses: readonly LimitUse[]): Promise<void> {
  if (uses.length === 0) return
  const keys = uses.map(({ key }) => key)
  await db
    .updateTable('limits')
    .set((e) => ({ used: e('used', '-', 1) }))
    .where((e) => e.or(uses.map(({ key, startedAt }) => e.and({ key, started_at: startedAt }))))
    .where('used', '>', 0)
    .where('key', 'in', locked(db, keys))
    .execute()
}

/** PostgreSQL locks these rows in the order of `insertUses`: otherwise two statements could wait for each other. */
function locked(db: Db, keys: readonly string[]) {
  const rows = db.selectFrom('limits').select('key').where('key', 'in', keys)
  return isSqlite(db) ? rows : rows.orderBy('key').forUpdate()
}

export async function deleteCounters(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('limits').where('key', 'in', locked(db, keys)).execute()
}

export async function findKnownNetworks(
  db: Db,
  by: { emailKey: string; network: string; ends: Period; key: string },
  now: number,
): Promise<{ isKnown: boolean; counted: Counted | undefined }> {
  const known = db
    .selectFrom('known_networks')
    .innerJoin('users', 'users.id', 'known_networks.user_id')
    .where('users.email_key', '=', by.emailKey)
    .where('known_networks.network', '=', by.network)
    .where(isWithin('known_networks.ends_at', by.ends))
  const counter = current(db, [by.key], now)
  const row = await db
    .selectNoFrom([
      known.select('known_networks.network').as('network'),
      counter.select('used').as('used'),
      counter.select('ends_at').as('ends_at'),
    ])
    .executeTakeFirstOrThrow()
  const { network, used, ends_at: endsAt } = row
  return { isKnown: network !== null, counted: used === null || endsAt === null ? undefined : { used, endsAt } }
}

export async function forgetNetworks(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('known_networks').where('user_id', 'in', userIds).execute()
}

export async function upsertKnownNetwork(tx: Tx, userId: string, network: string, endsAt: number): Promise<void> {
  await tx
    .insertInto('known_networks')
    .values({ user_id: userId, network, ends_at: endsAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ ends_at: endsAt }))
    .execute()
}
