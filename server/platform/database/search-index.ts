import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isSqlite } from './dialect.ts'
import { run } from './schema.ts'

// Migrations use this code. If you change what it creates, existing databases need another migration.

export async function addSearchIndex(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  if (isSqlite(db)) await addSqliteTrigrams(db, table, columns)
  else await addPostgresTrigrams(db, table, columns)
}

/** Without the extension `pg_trgm`, a search reads the whole table. docs/deploy.md describes how to add it later. */
async function addPostgresTrigrams(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  const texts = joinNormalizedTexts(columns.map((column) => sql.ref(column)))
  const on = sql`${sql.table(table)} using gin ((${texts}) gin_trgm_ops)`
  await run(db, 'savepoint trigrams')
  try {
    await run(db, 'create extension if not exists pg_trgm')
    await sql`create index ${sql.id(`${table}_search`)} on ${on}`.execute(db)
  } catch {
    await run(db, 'rollback to savepoint trigrams')
  }
  await run(db, 'release savepoint trigrams')
}

/**
 * The text that PostgreSQL indexes. It joins all columns, so that one pass over the index finds words in several of
 * them. No search word contains the line break between two columns.
 */
export function joinNormalizedTexts(columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => sql`coalesce(${column}, '')`),
    sql` || chr(10) || `,
  )
}

/**
 * Creates a trigram index, such as `users_search`, and its triggers. The index identifies rows by number, and
 * `users_search_rows` maps the numbers to ids, because VACUUM changes a table's own row numbers.
 */
async function addSqliteTrigrams(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  const list = columns.join(', ')
  const added = columns.map((column) => `new.${column}`).join(', ')
  const add = `insert into ${table}_search (rowid, ${list})
    select number, ${added} from ${table}_search_rows where id = new.id;`
  const remove = `delete from ${table}_search where rowid = (select number from ${table}_search_rows where id = old.id);`
  await run(
    db,
    `create table ${table}_search_rows (number integer primary key, id uuid not null unique)`,
    `create virtual table ${table}_search using fts5
      (${list}, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
    `create trigger ${table}_search_insert after insert on ${table} begin
      insert into ${table}_search_rows (id) values (new.id);
      ${add}
    end`,
    `create trigger ${table}_search_update after update of ${list} on ${table} begin
      ${remove}
      ${add}
    end`,
    `create trigger ${table}_search_delete after delete on ${table} begin
      ${remove}
      delete from ${table}_search_rows where id = old.id;
    end`,
  )
}
