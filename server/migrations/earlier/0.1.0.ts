import { type Kysely, sql } from 'kysely'
import { recordChanges } from '../../platform/database/changes.ts'
import { addCounts } from '../../platform/database/counts.ts'
import { isSqlite } from '../../platform/database/dialect.ts'
import type { EarlierVersion } from '../../platform/database/migrate.ts'
import { columnsOf, run } from '../../platform/database/schema.ts'
import { normalizedTextsOf } from '../../platform/database/search-columns.ts'
import { addSearchTriggers } from '../../platform/database/search-index.ts'
import { hashToken } from '../../platform/lib/secret-token.ts'
import { challenges, counts, hideRowsOfDeleted, recordAccounts } from '../0001-baseline.ts'

/**
 * Changes a database of 0.1.0, which has no migrations but these, into what `0001-baseline.ts` creates. It runs once, in
 * one transaction that also replaces the names of these migrations by that of the baseline. Each part of the schema that
 * differs from 0.1.0 has one function in `steps`. `server/test/migrations.test.ts` compares the result with the baseline.
 */
export default {
  version: '0.1.0',
  migrations: [
    '0001-accounts-sessions-items',
    '0002-recovery-mail-limits-audit-counts',
    '0003-list-blocks',
    '0004-plain-lists',
    '0005-search',
    '0006-people',
    '0007-last-edited',
    '0008-joined-search',
    '0009-jobs',
    '0010-mail-queue',
    '0011-one-time-tokens',
    '0012-invited',
    '0013-proofs',
    '0014-passkeys',
    '0015-audit-details',
    '0016-active-days',
    '0017-audit-failures',
    '0018-seen',
    '0019-second-factor',
    '0020-seen-index-only',
    '0021-confirmed-addresses',
  ],
  async upgrade(db) {
    for (const step of steps) await step(db)
  },
} satisfies EarlierVersion

const steps: ((db: Kysely<unknown>) => Promise<void>)[] = [
  dropPast,
  joinChallenges,
  requireAuthentications,
  requireNormalizedTexts,
  renameKnownNetworks,
  dropUnused,
  confirmAddresses,
  countAndRecordByTriggers,
]

/** Tables and triggers for servers of versions before 0.1.0, which could run beside it. */
async function dropPast(db: Kysely<unknown>): Promise<void> {
  const functions = ['users_invited', 'users_unconfirmed', 'users_update_to_tokens', 'one_time_tokens_delete_to_tokens']
  if (isSqlite(db)) {
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'
      and (name like 'users_invited_%' or name like '%_to_tokens_%' or name = 'users_unconfirmed')`.execute(db)
    for (const { name } of rows) await run(db, `drop trigger ${name}`)
  } else {
    for (const name of functions) await run(db, `drop function ${name}() cascade`)
  }
  await run(db, 'drop view list_blocks', 'drop table reset_tokens', 'drop table invitations')
  if (isSqlite(db)) return
  for (const table of ['reset_tokens', 'invitations'])
    await run(db, `drop function ${table}_insert_to_tokens()`, `drop function ${table}_delete_to_tokens()`)
}

/** Sessions that began before authentications were stored count as authenticated by a password then. */
async function requireAuthentications(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    `update sessions set proved_at = created_at, proved_by = 'password' where proved_at is null`,
    'alter table sessions alter column proved_at set not null',
    'alter table sessions alter column proved_by set not null',
    'alter table sessions rename column proved_at to authenticated_at',
    'alter table sessions rename column proved_by to authenticated_by',
  )
}

/** Invitations and reset links go on. Who was in the middle of a log-in or of setting up a factor begins again. */
async function joinChallenges(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    ...challenges,
    `insert into challenges (digest, purpose, user_id, expires_at)
      select digest, case when purpose = 'invitation' and is_mailed = 0 then 'invitation-link' else purpose end, user_id,
        expires_at
      from one_time_tokens where digest is not null`,
  )
  const { rows: mails } = await sql<{ id: string; user_id: string; expires_at: number }>`
    select id, user_id, expires_at from one_time_tokens
    where purpose = 'invitation' and id in (select id from outbox)`.execute(db)
  for (const { id, user_id, expires_at } of mails)
    await sql`insert into challenges (digest, purpose, user_id, expires_at)
      values (${hashToken(id)}, 'invitation-mail', ${user_id}, ${expires_at})`.execute(db)
  await run(
    db,
    'drop table one_time_tokens',
    'drop table ceremonies',
    'drop table open_log_ins',
    'delete from authenticator_apps where expires_at is not null',
    'drop index authenticator_apps_age',
    'alter table authenticator_apps drop column expires_at',
  )
}

/** Normalized texts are written with their texts. A product has tables with the structure of items, too. */
async function requireNormalizedTexts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string }>`select distinct name as "table" from totals`.execute(db)
  for (const { table } of rows) {
    const columns = await columnsOf(db, table)
    const searched = columns.filter(({ name }) => columns.some((column) => column.name === `${name}_search`))
    const [first] = searched
    if (!first) continue
    await fillNormalizedTexts(
      db,
      table,
      first.name,
      searched.map(({ name }) => name),
    )
    for (const { name } of searched.filter(({ isRequired }) => isRequired))
      await run(db, `alter table ${table} alter column ${name}_search set not null`)
    await run(db, `drop index ${table}_without_search_form`)
    if (!isSqlite(db)) continue
    for (const event of ['insert', 'fill', 'update', 'delete']) await run(db, `drop trigger ${table}_search_${event}`)
    await addSearchTriggers(
      db,
      table,
      searched.map(({ name }) => `${name}_search`),
    )
  }
}

/** Rows that 0.1.0 has not prepared for the search yet. */
async function fillNormalizedTexts(db: Kysely<unknown>, table: string, first: string, fields: string[]): Promise<void> {
  const columns = sql.join(['id', ...fields].map((name) => sql.ref(name)))
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`select ${columns} from ${sql.table(table)}
      where ${sql.ref(`${first}_search`)} is null limit 500`.execute(db)
    if (rows.length === 0) return
    for (const { id, ...texts } of rows) {
      const forms = Object.entries(normalizedTextsOf(texts, fields)).map(
        ([name, form]) => sql`${sql.ref(name)} = ${form}`,
      )
      await sql`update ${sql.table(table)} set ${sql.join(forms)} where id = ${id}`.execute(db)
    }
  }
}

async function renameKnownNetworks(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    // SQLite cannot rename a constraint.
    `create table known_networks (
      user_id uuid not null references users (id) on delete cascade,
      network text not null,
      ends_at bigint not null,
      constraint known_networks_key primary key (user_id, network)
    )`,
    'insert into known_networks (user_id, network, ends_at) select user_id, block, ends_at from familiar_blocks',
    'drop table familiar_blocks',
    'create index known_networks_end on known_networks (ends_at)',
  )
}

/** Attempts at a password count at once, and those at jobs are not counted. */
async function dropUnused(db: Kysely<unknown>): Promise<void> {
  await run(db, 'alter table limits drop column pending', 'alter table jobs drop column attempts')
}

/** Nobody is confirmed who was not before. */
async function confirmAddresses(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    'alter table users add column pending_email text',
    'alter table users add column mail_refused_at bigint',
    'create index users_confirmed on users (created_at, id) where email_confirmed_at is not null',
    'create index users_unconfirmed on users (created_at, id) where email_confirmed_at is null',
  )
}

/** The rows are counted anew, and changes of them recorded. A product has tables with the structure of items, too. */
async function countAndRecordByTriggers(db: Kysely<unknown>): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`select distinct name from totals`.execute(db)
  const counted = isSqlite(db)
    ? sql<{ name: string }>`select m.name from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name like '%_counts' and c.name = 'owner_id'`
    : sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = current_schema() and table_name like '%_counts' and column_name = 'owner_id'`
  for (const { name } of (await counted.execute(db)).rows) await run(db, `drop table ${name}`)
  await run(db, 'delete from totals', counts, 'alter table deleted_owners drop column deleted_at')
  for (const { name } of tables) await addCounts(db, name, name === 'users' ? undefined : 'owner_id')
  await hideRowsOfDeleted(db)
  await recordAccounts(db)
  for (const { name } of tables) if (name !== 'users') await recordChanges(db, name, 'owner_id')
}
