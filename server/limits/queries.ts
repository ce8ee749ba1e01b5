import { sql } from 'kysely'
import type { Db } from '../platform/database/store.ts'

/** Allows `max` uses in a window that begins with the first. */
export interface Limit {
  key: string
  max: number
  windowMs: number
}

/** Longer than any window. A window that ends later was begun by a wrong clock, and is over. */
const MAX_WINDOW_MS = 25 * 3_600_000

export interface Usage {
  used: number
  pending: number
  endsAt: number
}

/** The current usage of limits, by key. Limits without a current window are omitted. */
export async function findUsages(db: Db, keys: readonly string[], now: number): Promise<Map<string, Usage>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('limits')
    .select(['key', 'used', 'pending', 'ends_at'])
    .where('key', 'in', keys)
    .where('ends_at', '>', now)
    .where('ends_at', '<=', now + MAX_WINDOW_MS)
    .execute()
  return new Map(rows.map(({ key, used, pending, ends_at: endsAt }) => [key, { used, pending, endsAt }]))
}

/**
 * Takes or reserves a use, if one is left. `settleUse` decides about reserved ones. It is one statement, so that at
 * most `max` concurrent calls succeed.
 * @returns the start of the window and the used number; `undefined` when no use is left
 */
export async function takeUse(
  db: Db,
  limit: Limit,
  now: number,
  kind: 'used' | 'pending',
): Promise<{ startedAt: number; used: number } | undefined> {
  const used = kind === 'used' ? 1 : 0
  const pending = 1 - used
  const isOver = sql`(limits.ends_at <= ${now} or limits.ends_at > ${now + MAX_WINDOW_MS})`
  const { rows } = await sql<{ started_at: number; used: number }>`
    insert into limits (key, started_at, ends_at, used, pending)
    values (${limit.key}, ${now}, ${now + limit.windowMs}, ${used}, ${pending})
    on conflict (key) do update set
      started_at = case when ${isOver} then excluded.started_at else limits.started_at end,
      ends_at = case when ${isOver} then excluded.ends_at else limits.ends_at end,
      used = case when ${isOver} then 0 else limits.used end + excluded.used,
      pending = case when ${isOver} then 0 else limits.pending end + excluded.pending
    where ${isOver} or limits.used + limits.pending < ${limit.max}
    returning started_at, used
  `.execute(db)
  return rows[0] && { startedAt: rows[0].started_at, used: rows[0].used }
}

export async function deleteUsages(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('limits').where('key', 'in', keys).execute()
}

/** Counts or releases a reserved use. Does nothing if its window has ended. */
export async function settleUse(db: Db, key: string, startedAt: number, counts: boolean): Promise<void> {
  await db
    .updateTable('limits')
    .set((e) => ({ pending: e('pending', '-', 1), used: e('used', '+', counts ? 1 : 0) }))
    .where('key', '=', key)
    .where('started_at', '=', startedAt)
    .where('pending', '>', 0)
    .execute()
}
