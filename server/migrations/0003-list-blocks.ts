import { type Kysely, type RawBuilder, sql } from 'kysely'

const BLOCK_ROWS = 4_000

/**
 * Servers of earlier versions do not update blocks. If one deletes rows, the sizes become too large, and pages far down
 * skip too many rows. So stop all servers first. If one was still running, stop it and run `delete from list_blocks`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('list_blocks')
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('list_blocks_key', ['list', 'until'])
    .execute()

  await closeBlocks(db, 'users', sql`users`)
  await closeBlocks(db, 'items', sql`items`)
  const { rows: owners } = await sql<{ owner_id: string }>`
    select owner_id from item_counts where value >= ${2 * BLOCK_ROWS}
  `.execute(db)
  for (const { owner_id: id } of owners) await closeBlocks(db, id, sql`items where owner_id = ${id}`)
}

/** Creates blocks for all rows except about one block of the newest. A block ends between two times. */
async function closeBlocks(db: Kysely<unknown>, list: string, rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into list_blocks (list, until, size)
    with numbered as (
      select
        created_at,
        row_number() over (order by created_at, id) as place,
        count(*) over (order by created_at) as upto
      from ${rows}
    ),
    ends as (
      select distinct created_at as until, upto from numbered
      where place % ${sql.lit(BLOCK_ROWS)} = 0
        and place <= (select count(*) - ${sql.lit(BLOCK_ROWS)} from numbered)
        and created_at < (select max(created_at) from numbered)
    )
    select ${list}, until, upto - coalesce(lag(upto) over (order by until), 0) from ends
  `.execute(db)
}
