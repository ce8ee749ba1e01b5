import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'

/**
 * When a mailed link proved the address of an account, and which tokens were mailed. Nobody counts as confirmed who
 * cannot be shown to be, so the next mailed link to an account removes the factors that it has now. A trigger sees to
 * addresses that servers of the previous version change, which may run beside this one during an update. The next version
 * deletes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('alter table users add column email_confirmed_at bigint')
  await run('alter table one_time_tokens add column is_mailed smallint not null default 0 check (is_mailed in (0, 1))')
  if (isSqlite(db)) {
    await run(`create trigger users_unconfirmed after update of email_key on users for each row
      when new.email_key <> old.email_key and new.email_confirmed_at is not null
      begin update users set email_confirmed_at = null where id = new.id; end`)
  } else {
    await run(`create function users_unconfirmed() returns trigger language plpgsql as $$
      begin new.email_confirmed_at := null; return new; end $$`)
    await run(`create trigger users_unconfirmed before update of email_key on users
      for each row when (new.email_key <> old.email_key) execute function users_unconfirmed()`)
  }
}
