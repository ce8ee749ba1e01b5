import type { Kysely } from 'kysely'
import { addResourceTable } from '../resource/table.ts'
import { addChanges, recordChanges } from '../platform/database/changes.ts'
import { addCounts } from '../platform/database/counts.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { addTrigger, run } from '../platform/database/schema.ts'
import { addSearchIndex } from '../platform/database/search-index.ts'

/** One-time things: docs/decisions/0033-challenges.md. */
export const challenges = [
  `create table challenges (
    digest text primary key,
    purpose text not null,
    user_id uuid references users (id) on delete cascade,
    payload text,
    expires_at bigint not null
  )`,
  'create index challenges_of_user on challenges (user_id, purpose, expires_at)',
  'create index challenges_expiry on challenges (expires_at)',
]

/** How many rows each owner has. No reference to users, as the rows of an owner are deleted later. */
export const counts = `create table counts (
  name text not null,
  owner_id uuid not null,
  value bigint not null,
  constraint counts_key primary key (owner_id, name)
)`

/** Of an account that is deleted, all rows disappear at once. */
export async function hideRowsOfDeleted(db: Kysely<unknown>): Promise<void> {
  await addTrigger(db, {
    table: 'users',
    on: 'delete',
    name: 'hide',
    columns: ['id'],
    statements: (rows) => [
      `insert into deleted_owners (owner_id) select id from ${rows} where id in (select owner_id from counts)`,
    ],
  })
}

/**
 * The schema of version 0.2.0. This file never changes: later migrations change the schema. `server/tables.ts` describes
 * the columns.
 *
 * SQLite accepts any name of a type: these are right on PostgreSQL and give the right affinities on SQLite.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Texts are sorted by code points on both databases.
  const sorted = isSqlite(db) ? 'text' : 'text collate "C"'

  await run(
    db,
    `create table users (
      id uuid primary key,
      email text not null,
      email_key text not null unique,
      email_search ${sorted} not null,
      email_confirmed_at bigint,
      pending_email text,
      mail_refused_at bigint,
      full_name text,
      full_name_search ${sorted},
      password_hash text not null,
      is_invited smallint not null default 0 check (is_invited in (0, 1)),
      is_active smallint not null check (is_active in (0, 1)),
      is_superuser smallint not null check (is_superuser in (0, 1)),
      created_at bigint not null,
      last_active_at bigint
    )`,
    'create index users_newest on users (created_at, id)',
    'create index users_superusers on users (created_at, id) where is_superuser = 1',
    'create index users_inactive on users (created_at, id) where is_active = 0',
    'create index users_invited on users (created_at, id) where is_active = 1 and is_invited = 1',
    'create index users_confirmed on users (created_at, id) where email_confirmed_at is not null',
    'create index users_unconfirmed on users (created_at, id) where email_confirmed_at is null',
    'create index users_last_active on users (last_active_at, id)',
    ...(isSqlite(db) ? sqliteIndexesOfUsers : postgresIndexesOfUsers),
  )
  await addSearchIndex(db, 'users', ['email_search', 'full_name_search'])

  await run(
    db,
    'create table active_days (day bigint primary key, users bigint not null)',
    `create table sessions (
      id uuid primary key,
      token_hash text not null unique,
      user_id uuid not null references users (id) on delete cascade,
      created_at bigint not null,
      last_used_at bigint not null,
      user_agent text,
      address text,
      authenticated_at bigint not null,
      authenticated_by text not null
    )`,
    'create index sessions_of_user on sessions (user_id)',
    'create index sessions_age on sessions (created_at)',
    `create table known_networks (
      user_id uuid not null references users (id) on delete cascade,
      network text not null,
      ends_at bigint not null,
      constraint known_networks_key primary key (user_id, network)
    )`,
    'create index known_networks_end on known_networks (ends_at)',
  )

  await run(
    db,
    ...challenges,
    `create table passkey_handles (
      user_id uuid primary key references users (id) on delete cascade,
      handle text not null unique
    )`,
    `create table passkeys (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      credential_id text not null unique,
      public_key text not null,
      transports text not null,
      counter bigint not null,
      is_syncable smallint not null,
      is_synced smallint not null,
      name text not null,
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index passkeys_of_user on passkeys (user_id)',
    `create table authenticator_apps (
      id uuid primary key,
      user_id uuid not null unique references users (id) on delete cascade,
      secret text not null,
      last_step bigint not null
    )`,
    `create table recovery_codes (
      user_id uuid not null references users (id) on delete cascade,
      digest text not null,
      constraint recovery_codes_key primary key (user_id, digest)
    )`,
    `create table limits (
      key text primary key,
      started_at bigint not null,
      ends_at bigint not null,
      used integer not null
    )`,
    'create index limits_end on limits (ends_at)',
  )

  await run(
    db,
    // No reference to users, as the address may have no account, and a mail may outlive its account.
    `create table outbox (
      id uuid primary key,
      kind text not null,
      address text not null,
      origin text not null,
      created_at bigint not null,
      due_at bigint not null,
      attempts integer not null
    )`,
    'create index outbox_due on outbox (due_at)',
    'create index outbox_due_of_kind on outbox (kind, due_at, id)',
    // No references, as entries outlive accounts.
    `create table audit (
      id uuid primary key,
      at bigint not null,
      action text not null,
      result text not null,
      actor_id uuid,
      subject_id uuid,
      origin text not null,
      details text
    )`,
    'create index audit_newest on audit (at, id)',
    // Without the id, which only orders entries of the same millisecond, an index is half as large.
    'create index audit_action on audit (action, at)',
    'create index audit_result on audit (result, at)',
    'create index audit_action_result on audit (action, result, at)',
    'create index audit_actor on audit (actor_id, at)',
    'create index audit_actor_action on audit (actor_id, action, at)',
    'create index audit_subject on audit (subject_id, at)',
    'create index audit_subject_action on audit (subject_id, action, at)',
    `create index audit_failed on audit (at, id) where result <> 'done'`,
    `create index audit_failed_action on audit (action, at, id) where result <> 'done'`,
    'create table jobs (id text primary key, due_at bigint not null)',
    'create table locks (name text primary key, taken bigint not null)',
    `insert into locks (name, taken) values ('accounts', 0)`,
    `create table totals (
      name text not null,
      stripe integer not null,
      value bigint not null,
      constraint totals_key primary key (name, stripe)
    )`,
    counts,
    // Accounts whose rows are deleted later: docs/decisions/0018-plain-lists.md.
    'create table deleted_owners (owner_id uuid primary key)',
  )
  await addCounts(db, 'users')
  await hideRowsOfDeleted(db)

  await recordAccounts(db)

  await addResourceTable(db, {
    table: 'items',
    columns: [
      { name: 'title', type: 'text' },
      { name: 'description', type: 'text', isNullable: true },
    ],
    searched: ['title', 'description'],
  })
}

/** Records changes of accounts, but not their activity, and ended sessions. */
export async function recordAccounts(db: Kysely<unknown>): Promise<void> {
  await addChanges(db)
  await recordChanges(db, 'users', 'id')
  await recordChanges(db, 'sessions', 'user_id', ['delete'])
}

const sqliteIndexesOfUsers = [
  'create index users_email_search on users (email_search, id)',
  'create index users_full_name_search on users (full_name_search, id)',
  'create index users_seen on users (coalesce(last_active_at, created_at))',
]

const postgresIndexesOfUsers = [
  // An entry of a B-tree holds at most 2,704 bytes.
  'create index users_email_search on users (left(email_search, 600))',
  'create index users_full_name_search on users (left(full_name_search, 600))',
  // Rows without a value come last in both directions.
  'create index users_full_name_search_desc on users (left(full_name_search, 600) desc nulls last)',
  'create index users_last_active_desc on users (last_active_at desc nulls last, id)',
  // PostgreSQL counts from an index of an expression alone only if it includes the columns of the expression.
  `create index users_seen on users (coalesce(last_active_at, created_at)) include (last_active_at, created_at)`,
]
