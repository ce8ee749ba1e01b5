import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'

const HOUR = 3_600_000
const WEEK = 168 * HOUR

/**
 * One table for the tokens of reset links and invitations. Servers of the previous version, which may run beside this
 * one during an update, still use `reset_tokens` and `invitations`: triggers keep the tables alike. The next version
 * deletes both with the triggers. A link that this version mails works on servers of the previous one only after they
 * are updated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_tokens')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.unique())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('one_time_tokens_of_user').on('one_time_tokens').columns(['user_id', 'purpose']).execute()
  await db.schema.createIndex('one_time_tokens_expiry').on('one_time_tokens').column('expires_at').execute()

  const isPostgres = !isSqlite(db)
  const id = isPostgres
    ? 'gen_random_uuid()'
    : `lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
        substr(hex(randomblob(2)), 2), hex(randomblob(6))))`
  const insert = 'insert into one_time_tokens (id, user_id, purpose, digest, expires_at)'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`${insert} select ${id}, user_id, 'password-reset', token_hash, created_at + ${HOUR} from reset_tokens`)
  await run(`${insert} select mail_id, user_id, 'invitation', mailed_hash, created_at + ${WEEK} from invitations`)
  await run(`${insert} select ${id}, user_id, 'invitation', told_hash, created_at + ${WEEK} from invitations
    where told_hash is not null`)

  async function onEach(table: string, events: readonly string[], statements: readonly string[]): Promise<void> {
    const name = `${table}_${events[0]?.split(' ')[0]}_to_tokens`
    const body = statements.map((statement) => `${statement};`).join('\n')
    if (isPostgres) {
      await run(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
      await run(`create trigger ${name} after ${events.join(' or ')} on ${table}
        for each row execute function ${name}()`)
    } else {
      for (const [index, event] of events.entries())
        await run(`create trigger ${name}_${index} after ${event} on ${table} for each row begin ${body} end`)
    }
  }

  await onEach(
    'reset_tokens',
    ['insert', 'update'],
    [
      `delete from one_time_tokens
        where user_id = new.user_id and purpose = 'password-reset' and digest <> new.token_hash`,
      `${insert} values (${id}, new.user_id, 'password-reset', new.token_hash, new.created_at + ${HOUR})
        on conflict (digest) do nothing`,
    ],
  )
  await onEach('reset_tokens', ['delete'], ['delete from one_time_tokens where digest = old.token_hash'])
  await onEach(
    'invitations',
    ['insert', 'update'],
    [
      `delete from one_time_tokens where user_id = new.user_id and purpose = 'invitation' and id <> new.mail_id
        and coalesce(digest, '') <> coalesce(new.told_hash, '-')`,
      `${insert} values (new.mail_id, new.user_id, 'invitation', new.mailed_hash, new.created_at + ${WEEK})
        on conflict (id) do update set digest = excluded.digest, expires_at = excluded.expires_at`,
      `${insert} select ${id}, new.user_id, 'invitation', new.told_hash, new.created_at + ${WEEK}
        where new.told_hash is not null on conflict (digest) do nothing`,
    ],
  )
  await onEach(
    'invitations',
    ['delete'],
    ['delete from one_time_tokens where id = old.mail_id or digest = old.told_hash'],
  )
  await onEach(
    'one_time_tokens',
    ['delete'],
    [
      'delete from reset_tokens where token_hash = old.digest',
      'delete from invitations where mail_id = old.id or told_hash = old.digest',
    ],
  )
  // A server of the previous version only deletes from its own tables when an account changes.
  await onEach(
    'users',
    ['update of password_hash, email_key, is_active'],
    [
      `delete from one_time_tokens where user_id = new.id
        and (new.password_hash <> old.password_hash or new.email_key <> old.email_key)`,
      `delete from one_time_tokens where user_id = new.id and purpose = 'invitation' and new.is_active = 0`,
    ],
  )
}
