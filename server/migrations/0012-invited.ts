import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../platform/database/dialect.ts'

/**
 * A column for accounts whose owner has not set a password yet, instead of an empty hash. Triggers set it for servers of
 * the previous version, which may run beside this one during an update. The next version deletes the triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('alter table users add column is_invited smallint not null default 0 check (is_invited in (0, 1))')
  await run(`update users set is_invited = 1 where password_hash = ''`)
  await run('drop index users_invited')
  await run('create index users_invited on users (created_at, id) where is_active = 1 and is_invited = 1')

  const isInvited = `case when new.password_hash = '' then 1 else 0 end`
  if (isSqlite(db)) {
    for (const event of ['insert', 'update of password_hash'])
      await run(`create trigger users_invited_${event.slice(0, 6)} after ${event} on users for each row
        when new.is_invited <> ${isInvited}
        begin update users set is_invited = ${isInvited} where id = new.id; end`)
  } else {
    await run(`create function users_invited() returns trigger language plpgsql as $$
      begin new.is_invited := ${isInvited}; return new; end $$`)
    await run(`create trigger users_invited before insert or update of password_hash on users
      for each row execute function users_invited()`)
  }
}
