import type { Kysely } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import { run } from '../platform/database/schema.ts'

/** docs/decisions/0034-live-changes.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const now = isSqlite(db)
    ? "cast(unixepoch('subsec') * 1000 as integer)"
    : '(extract(epoch from clock_timestamp()) * 1000)::bigint'
  const at = `at bigint not null default (${now})`
  if (!isSqlite(db)) return run(db, `alter table changes add column ${at}`)
  // SQLite adds no column with such a default. What is recorded is for servers that run, and none does.
  await run(
    db,
    'drop table changes',
    `create table changes (
      id integer primary key,
      resource text not null,
      row_id uuid not null,
      owner_id uuid not null,
      ${at}
    )`,
  )
}
