import { domainToASCII } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'
import { run } from '../platform/database/schema.ts'

/** docs/decisions/0037-company-accounts.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    `create table identities (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      issuer text not null,
      subject text not null,
      email text,
      created_at bigint not null,
      last_used_at bigint,
      constraint identities_subject unique (issuer, subject)
    )`,
    'create index identities_of_user on identities (user_id)',
    // Nobody knows when what is there was set up, so it counts as older than the confirmation of the address.
    'alter table authenticator_apps add column created_at bigint',
    // The audit log may show when a password was set.
    'alter table users add column password_set_at bigint',
    `update users set password_set_at = (select max(at) from audit where subject_id = users.id and result = 'done'
      and action in ('sign-up', 'account-create', 'password-change', 'password-set', 'password-reset', 'invitation-accept'))
      where password_hash <> ''`,
  )
  await compareAsciiDomains(db)
}

/** Of two accounts whose addresses are one now, the first keeps it; the other one is found by id and by search only. */
async function compareAsciiDomains(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; email_key: string }>`
    select id, email_key from users where ${isSqlite(db) ? sql`email_key glob '*[^ -~]*'` : sql`email_key ~ '[^ -~]'`}
    order by created_at, id`.execute(db)
  for (const { id, email_key } of rows) {
    const at = email_key.lastIndexOf('@') + 1
    const domain = email_key.slice(at)
    if (!/^[\p{L}\p{N}\p{M}.-]+$/u.test(domain)) continue
    const key = `${email_key.slice(0, at)}${domainToASCII(domain) || domain}`
    if (key === email_key) continue
    await sql`update users set email_key = ${key} where id = ${id}
      and not exists (select 1 from users as other where other.email_key = ${key})`.execute(db)
  }
}
