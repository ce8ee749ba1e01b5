import { sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { deleteBatch } from '../platform/database/batches.ts'

const AT_ONCE = 500
/** A new stream begins with the changes of this time, because its client had no stream while it loaded or connected. */
const RECENT_MS = 20_000
const LATEST = 5_000
/** A new stream begins with at most this many changes. One is enough to make a client read a list again. */
const MAX_RECENT = 200
/** The table keeps this many changes. Servers read a change within about a second. */
const KEPT = 100_000

export interface Change {
  resource: string
  row_id: string
  owner_id: string
}

/**
 * Tells which changes were committed at a moment. On SQLite it is the last id, because transactions run one after the
 * other. On PostgreSQL it is a snapshot, because a transaction gets ids long before its commit.
 */
export type Cursor = string

export async function currentCursor(db: Db): Promise<Cursor> {
  const cursor = isSqlite(db)
    ? sql<{ cursor: Cursor }>`select cast(coalesce(max(id), 0) as text) as cursor from changes`
    : sql<{ cursor: Cursor }>`select pg_current_snapshot()::text as cursor`
  const { rows } = await cursor.execute(db)
  return rows[0]?.cursor ?? ''
}

export async function* changesBetween(db: Db, from: Cursor, until: Cursor): AsyncGenerator<Change[]> {
  let last = isSqlite(db) ? { xid: '', id: Number(from) } : { xid: '0', id: 0 }
  for (;;) {
    const next = isSqlite(db)
      ? sql<Change & typeof last>`
          select '' as xid, id, resource, row_id, owner_id from changes
          where id > ${last.id} and id <= ${Number(until)} order by id limit ${AT_ONCE}`
      : sql<Change & typeof last>`
          select xid::text as xid, id, resource, row_id, owner_id from changes
          where xid >= pg_snapshot_xmin(${from}::pg_snapshot) and (xid, id) > (${last.xid}::xid8, ${last.id})
            and not pg_visible_in_snapshot(xid, ${from}::pg_snapshot)
            and pg_visible_in_snapshot(xid, ${until}::pg_snapshot)
          order by changes.xid, id limit ${AT_ONCE}`
    const { rows } = await next.execute(db)
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (!end || rows.length < AT_ONCE) return
    last = end
  }
}

/**
 * Finds the changes of the last seconds that an account may learn of, one for each row.
 * @param owner undefined for all rows
 */
export async function recentChanges(
  db: Db,
  resources: readonly string[],
  owner: string | undefined,
): Promise<Change[]> {
  const now = isSqlite(db) ? sql`unixepoch('subsec') * 1000` : sql`extract(epoch from clock_timestamp()) * 1000`
  const isSeen = owner === undefined ? sql`true` : sql`owner_id = ${owner}`
  const recent = sql<Change>`
    select distinct resource, row_id, owner_id from (select * from changes order by id desc limit ${LATEST}) as latest
    where at >= ${now} - ${RECENT_MS} and resource in (${sql.join(resources)}) and ${isSeen} limit ${MAX_RECENT}`
  return (await recent.execute(db)).rows
}

export async function deleteOldChanges(tx: Tx): Promise<boolean> {
  const last = sql`(select max(id) from changes)`
  return deleteBatch(tx, 'changes', 'id', sql`id <= ${last} - ${KEPT}`)
}
