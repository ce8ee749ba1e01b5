import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addResourceTable, dropResourceTable } from './table.ts'
import { countOf, totalOf } from '../platform/database/counts.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { run } from '../platform/database/schema.ts'
import type { Tx } from '../platform/database/store.ts'
import { buildTestApp, nobody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'

/** Columns and indexes of a resource, with placeholders for its names. */
async function describeTables({ store: { db } }: TestApp, table: string): Promise<string[]> {
  const isPostgres = !isSqlite(db)
  const query = isPostgres
    ? sql<{ text: string }>`
        select concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name) as text
        from information_schema.columns
        where table_schema = current_schema() and table_name = ${table}
        union all select replace(indexdef, current_schema() || '.', '') from pg_indexes
        where schemaname = current_schema() and tablename = ${table}
        union all select pg_get_triggerdef(oid) from pg_trigger where tgrelid = to_regclass(${table}) and not tgisinternal
        union all select pg_get_functiondef(tgfoid) from pg_trigger
        where tgrelid = to_regclass(${table}) and not tgisinternal`
    : sql<{ text: string }>`
        select m.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk as text
        from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and (m.name = ${table} or m.name like ${`${table}_search%`})
        union all select sql from sqlite_master
        where type in ('index', 'trigger') and tbl_name = ${table} and sql is not null`
  const { rows } = await query.execute(db)
  const anonymous = rows.map(({ text }) => text.replaceAll(table, 'TABLE'))
  return anonymous.map((text) => text.replaceAll('"', '').replaceAll(/\s+/g, ' ').toLowerCase()).toSorted()
}

async function addTable(tx: Tx, table: string): Promise<void> {
  await addResourceTable(tx as never, {
    table,
    columns: [
      { name: 'title', type: 'text' },
      { name: 'description', type: 'text', isNullable: true },
    ],
    searched: ['title', 'description'],
  })
}

/** Adds the table of the resource of the first migration, under another name: fields may have been added since. */
async function addFirstTable(db: Tx): Promise<void> {
  const kind = isSqlite(db) ? 'sqlite' : 'postgres'
  const baseline = await readFile(join(import.meta.dirname, `../migrations/0001-baseline.${kind}.sql`), 'utf8')
  const [start = '', table = ''] = /create table (\w+) \([^;]*\btitle text/.exec(baseline) ?? []
  const statements = baseline.slice(baseline.indexOf(start)).replaceAll(table, 'former')
  await run(db as never, ...statements.split(/;\n\n/))
}

test('the table of a new resource has the structure of that of the first migration, and is counted', async () => {
  const testApp = await buildTestApp()
  const { db } = testApp.store
  const ada = await testApp.newUser()
  await db.transaction().execute(async (tx) => {
    await addTable(tx, 'things')
    await addFirstTable(tx)
  })
  const first = await describeTables(testApp, 'former')
  expect(await describeTables(testApp, 'things')).toEqual(first)
  expect(first.length).toBeGreaterThan(10)
  const things = 'things' as never
  const counted = async () => [
    (await totalOf(things).execute(db)).rows[0]?.count,
    (await countOf(things, ada.id).execute(db)).rows[0]?.count,
  ]
  const row = (owner_id: string) => sql`(${randomUUID()}, ${owner_id}, 0, 'x', 'x')`
  await sql`insert into things (id, owner_id, created_at, title, title_search)
    values ${row(ada.id)}, ${row(ada.id)}, ${row(nobody)}`.execute(db)
  expect(await counted()).toEqual([3, 2])
  await sql`delete from things where owner_id = ${ada.id}`.execute(db)
  expect(await counted()).toEqual([1, 0])
})

test('a dropped resource leaves nothing behind', async () => {
  const { store, ada } = await buildTestAppWith({ ada: {} })
  const { db } = store
  const named = sql<{ name: string }>`${
    isSqlite(db)
      ? sql`select name from sqlite_master where name like '%things%'`
      : sql`select relname as name from pg_class where relname like '%things%' and relnamespace = current_schema()::regnamespace
          union all select proname from pg_proc where proname like '%things%' and pronamespace = current_schema()::regnamespace`
  } union all select name from counts where name = 'things' union all select name from totals where name = 'things'
    union all select resource from changes where resource = 'things'`
  await db.transaction().execute((tx) => addTable(tx, 'things'))
  await sql`insert into things (id, owner_id, created_at, title, title_search)
    values (${randomUUID()}, ${ada.id}, 0, 'x', 'x')`.execute(db)
  expect((await named.execute(db)).rows.length).toBeGreaterThan(10)
  await db.transaction().execute((tx) => dropResourceTable(tx as never, 'things'))
  expect((await named.execute(db)).rows).toEqual([])
})
