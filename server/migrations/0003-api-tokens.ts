import type { Kysely } from 'kysely'
import { recordChanges } from '../platform/database/changes.ts'
import { run } from '../platform/database/schema.ts'

/** docs/decisions/0038-api-tokens.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    'alter table users add column token_used_at bigint',
    'create index users_token_used on users (token_used_at) where token_used_at is not null',
    `create table api_tokens (
      id uuid primary key,
      token_hash text not null unique,
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      scope text not null check (scope in ('read', 'write')),
      created_at bigint not null,
      expires_at bigint not null,
      last_used_at bigint,
      address text
    )`,
    'create index api_tokens_of_user on api_tokens (user_id, created_at)',
    'create index api_tokens_expiry on api_tokens (expires_at)',
  )
  await recordChanges(db, 'users', 'id')
  // The end of a token ends its streams of events.
  await recordChanges(db, 'api_tokens', 'user_id', ['delete'])
}
