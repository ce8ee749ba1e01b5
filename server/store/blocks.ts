import { type QueryCreator, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tx } from './store.ts'
import type { Tables } from './tables.ts'

// Long lists are cut into blocks whose rows are counted: docs/decisions/0018-lists-in-counted-blocks.md.

/** A list that pages are read from: all users, all items, or the items of the owner with this id. */
type List = 'users' | 'items' | (string & {})

/**
 * Rows of a block when it is closed. A page far down costs one step for each block and one for each row skipped in a
 * block; at a million rows, about as much for the ones as for the others.
 */
export const BLOCK_ROWS = 4_000

/** Blocks that are closed at a time, so that nobody waits for long. */
const MAX_CLOSED_AT_ONCE = 10

/** Of how many who add a row, one looks whether blocks can be closed. */
const CLOSE_ONE_IN = 1_000

/** Whether to close blocks this time; who does takes the total alone. */
export function isTimeToClose(): boolean {
  return Math.random() * CLOSE_ONE_IN < 1
}

/** Before a row is added: the block it would lie in, and newer ones, are open again. Seldom are there any. */
export async function reopenBlocks(tx: Tx, lists: List[], createdAt: number): Promise<void> {
  await tx.deleteFrom('list_blocks').where('list', 'in', lists).where('until', '>=', createdAt).execute()
}

/** Before a row is deleted: its block in each of the lists has one less. */
export async function countOutOfBlocks(tx: Tx, lists: List[], createdAt: number): Promise<void> {
  await tx
    .updateTable('list_blocks')
    .set((e) => ({ size: e('size', '-', 1) }))
    .where((e) =>
      e(
        e.refTuple('list', 'until'),
        'in',
        e
          .selectFrom('list_blocks')
          .select((of) => ['list', of.fn.min('until').as('until')])
          .where('list', 'in', lists)
          .where('until', '>=', createdAt)
          .groupBy('list')
          .$asTuple('list', 'until'),
      ),
    )
    .execute()
}

/** Before all items of an owner are deleted, with the owner's row of `item_counts` and a stripe of the total taken. */
export async function countOwnerOutOfBlocks(tx: Tx, ownerId: string): Promise<void> {
  const { rows } = await sql<{ until: number; size: number }>`
    select until, count(*) as size
    from (
      select (
        select min(until) from list_blocks where list = 'items' and until >= items.created_at
      ) as until
      from items where owner_id = ${ownerId}
    ) as places
    where until is not null
    group by until
    order by until
  `.execute(tx)
  // One after the other and in order: another owner who is deleted may have items in the same blocks.
  for (const { until, size } of rows) {
    await tx
      .updateTable('list_blocks')
      .set((e) => ({ size: e('size', '-', size) }))
      .where('list', '=', 'items')
      .where('until', '=', until)
      .execute()
  }
}

/** Of a list that ends: its owner is deleted. */
export async function deleteBlocks(tx: Tx, list: List): Promise<void> {
  await tx.deleteFrom('list_blocks').where('list', '=', list).execute()
}

/**
 * Closes the oldest rows that are in no block yet, as long as a block's worth of newer ones is left: rows are added
 * there. Whoever calls this keeps everybody else from adding to the list and deleting from it.
 * @returns how many blocks were closed; there may be more to close
 */
export async function closeBlocks(tx: Tx, list: List): Promise<number> {
  const source =
    list === 'users' ? sql`users where` : list === 'items' ? sql`items where` : sql`items where owner_id = ${list} and`
  const result = await sql`
    insert into list_blocks (list, until, size)
    with open_rows as (
      select created_at, id from ${source}
        created_at > (select coalesce(max(until), -1) from list_blocks where list = ${list})
      order by created_at, id
      limit ${sql.lit((MAX_CLOSED_AT_ONCE + 1) * BLOCK_ROWS)}
    ),
    numbered as (
      select
        created_at,
        row_number() over (order by created_at, id) as place,
        -- With all rows of the same time: a block ends between two times.
        count(*) over (order by created_at) as upto
      from open_rows
    ),
    ends as (
      select distinct created_at as until, upto from numbered
      where place % ${sql.lit(BLOCK_ROWS)} = 0
        and place <= (select count(*) - ${sql.lit(BLOCK_ROWS)} from numbered)
        and created_at < (select max(created_at) from numbered)
    )
    select ${list}, until, upto - coalesce(lag(upto) over (order by until), 0) from ends
  `.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}

/** How a query skips the first rows of a list. */
interface Skipping {
  /** What to build the query on. */
  db: QueryCreator<Tables>
  /** The newest time to begin at; absent where that is the newest of all. */
  until?: RawBuilder<number>
  /** Rows to skip from there on. */
  offset: RawBuilder<number>
}

/**
 * Skips whole blocks by their counts, and in the block where the page begins the rest of the rows. Where less than a
 * block is skipped, counting blocks would cost more.
 * @param total how many rows the list has, as `count`
 */
export function skipRows(
  db: Db,
  list: List,
  skip: number,
  total: SelectQueryBuilder<Tables, never, { count: number }>,
): Skipping {
  if (skip < BLOCK_ROWS) return { db, offset: sql`${skip}` }
  // Counted from the oldest row on, which is where blocks begin: the first to have the page's first row.
  const start = db
    .selectFrom(
      db
        .selectFrom('list_blocks')
        .select(['until', sql<number>`cast(sum(size) over (order by until) as bigint)`.as('upto')])
        .where('list', '=', list)
        .as('blocks'),
    )
    .innerJoin(total.as('total'), (join) => join.onTrue())
    .select((e) => [e.fn.min('until').as('until'), sql<number>`min(upto) - min(total.count) + ${skip}`.as('rest')])
    .where(sql<boolean>`upto >= total.count - ${skip}`)
  return {
    db: db.with(
      (cte) => cte('start').materialized(),
      () => start,
    ),
    until: sql`coalesce((select until from start), ${Number.MAX_SAFE_INTEGER})`,
    offset: sql`coalesce((select rest from start), ${skip})`,
  }
}
