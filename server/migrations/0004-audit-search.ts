import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import { run } from '../platform/database/schema.ts'

const AT_ONCE = 500

// Writes every entry that has details, before the server is ready.

/** docs/decisions/0024-search.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await run(db, 'alter table audit add column details_search text')
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; details: string }>`select id, details from audit
      where details is not null and id > ${last} order by id limit ${AT_ONCE}`.execute(db)
    for (const { id, details } of rows) {
      const texts = textsIn(JSON.parse(details) as object)
      const text = texts.length === 0 ? null : normalize(texts.join('\n'))
      await sql`update audit set details_search = ${text} where id = ${id}`.execute(db)
    }
    const end = rows.at(-1)
    if (!end) break
    last = end.id
  }
  await run(db, ...(isSqlite(db) ? sqliteIndex : [postgresIndex]))
}

// Most entries have no details.
const sqliteIndex = [
  'create table audit_search_rows (number integer primary key, id uuid not null unique)',
  `create virtual table audit_search using fts5
    (details_search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
  `create trigger audit_search_insert after insert on audit when new.details_search is not null begin
    insert into audit_search_rows (id) values (new.id);
    insert into audit_search (rowid, details_search)
      select number, new.details_search from audit_search_rows where id = new.id;
  end`,
  `create trigger audit_search_update after update of details_search on audit begin
    delete from audit_search where rowid = (select number from audit_search_rows where id = old.id);
    insert into audit_search (rowid, details_search)
      select number, new.details_search from audit_search_rows where id = new.id;
  end`,
  `create trigger audit_search_delete after delete on audit when old.details_search is not null begin
    delete from audit_search where rowid = (select number from audit_search_rows where id = old.id);
    delete from audit_search_rows where id = old.id;
  end`,
  'insert into audit_search_rows (id) select id from audit where details_search is not null',
  `insert into audit_search (rowid, details_search)
    select number, details_search from audit_search_rows join audit on audit.id = audit_search_rows.id`,
]

const postgresIndex = `do $$ begin
  create extension if not exists pg_trgm;
  create index audit_search on audit using gin ((coalesce(details_search, '')) gin_trgm_ops);
exception
  when lock_not_available then raise;
  when others then null;
end $$`

function textsIn(value: object): string[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (['id', 'action', 'method', 'step'].includes(name)) return []
    if (typeof part === 'string') return [part]
    return typeof part === 'object' && part !== null ? textsIn(part) : []
  })
}

function normalize(text: string): string {
  const lower = text.replaceAll(/\p{M}/gu, '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const limit = 3 * text.length + 1_000
  return lower
    .replaceAll('ς', 'σ')
    .slice(0, limit)
    .replace(/[\uD800-\uDBFF]$/, '')
}
