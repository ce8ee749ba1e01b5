import { type Kysely, sql } from 'kysely'
import { searchTextOf } from '../audit/search-text.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { run } from '../platform/database/schema.ts'
import { addSearchIndex } from '../platform/database/search-index.ts'

const AT_ONCE = 500

// Writes every entry that has details, before the server is ready.

/** docs/decisions/0024-search.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await run(db, 'alter table audit add column details_search text')
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; details: string }>`select id, details from audit
      where details is not null and id > ${last} order by id limit ${AT_ONCE}`.execute(db)
    for (const { id, details } of rows) {
      const text = searchTextOf(JSON.parse(details) as Record<string, unknown>)
      await sql`update audit set details_search = ${text} where id = ${id}`.execute(db)
    }
    const end = rows.at(-1)
    if (!end) break
    last = end.id
  }
  // Most entries have no details.
  await addSearchIndex(db, 'audit', ['details_search'], { isSparse: true })
  if (!isSqlite(db)) return
  await run(
    db,
    'insert into audit_search_rows (id) select id from audit where details_search is not null',
    `insert into audit_search (rowid, details_search)
      select number, details_search from audit_search_rows join audit on audit.id = audit_search_rows.id`,
  )
}
