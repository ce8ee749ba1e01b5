import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addOwnedTables } from './tables.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Tx } from '../platform/database/store.ts'
import { buildTestApp, type TestApp } from '../test/build-test-app.ts'
import { isFurtherField } from '../test/plain-item.ts'

/** The columns and indexes of a resource, with placeholders for its names. */
async function describeTables({ store: { db } }: TestApp, table: string, counts: string): Promise<string[]> {
  const isPostgres = !isSqlite(db)
  const query = isPostgres
    ? sql<{ text: string }>`
        select concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name) as text
        from information_schema.columns
        where table_schema = current_schema() and table_name in (${table}, ${counts})
        union all select replace(indexdef, current_schema() || '.', '') from pg_indexes
        where schemaname = current_schema() and tablename in (${table}, ${counts})`
    : sql<{ text: string }>`
        select m.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk as text
        from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and (m.name in (${counts}, ${table}) or m.name like ${`${table}_search%`})
        union all select sql from sqlite_master
        where type in ('index', 'trigger') and tbl_name in (${table}, ${counts}) and sql is not null`
  const { rows } = await query.execute(db)
  const anonymous = rows.map(({ text }) => text.replaceAll(counts, 'COUNTS').replaceAll(table, 'TABLE'))
  return anonymous.map((text) => text.replaceAll('"', '').replaceAll(/\s+/g, ' ').toLowerCase()).toSorted()
}

/** Adds the tables of a resource with the fields of items. */
async function addTables(tx: Tx, table: string, counts: string): Promise<void> {
  await addOwnedTables(tx as never, {
    table,
    counts,
    columns: [
      { name: 'title', type: 'text' },
      { name: 'description', type: 'text', isNullable: true },
    ],
    searched: ['title', 'description'],
  })
}

test('the tables of a new resource have the structure of those of items', async () => {
  const testApp = await buildTestApp()
  await testApp.newUser()
  await testApp.store.db.transaction().execute((tx) => addTables(tx, 'things', 'thing_counts'))
  const items = (await describeTables(testApp, 'items', 'item_counts')).filter((line) => !isFurtherField(line))
  expect(await describeTables(testApp, 'things', 'thing_counts')).toEqual(items)
  expect(items.length).toBeGreaterThan(10)
  const { rows } = await sql`select * from thing_counts`.execute(testApp.store.db)
  expect(rows).toEqual([expect.objectContaining({ value: 0 })])
  const totals = await testApp.store.db.selectFrom('totals').select('name').execute()
  expect(totals.filter(({ name }) => (name as string) === 'things')).toHaveLength(
    totals.filter(({ name }) => name === 'items').length,
  )
})
