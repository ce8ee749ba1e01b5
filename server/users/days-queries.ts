import { sql } from 'kysely'
import type { Db } from '../platform/database/store.ts'

// New and active users of each day (UTC).

export const DAY = 86_400_000

export const dayOf = (at: number): number => at - (at % DAY)

/** @param day the time at which the day begins */
export async function addActiveUsers(db: Db, day: number, number: number): Promise<void> {
  await db
    .insertInto('active_days')
    .values({ day, users: number })
    .onConflict((c) => c.column('day').doUpdateSet((e) => ({ users: e('active_days.users', '+', number) })))
    .execute()
}

export interface UsersOfDay {
  day: number
  new_users: number
  active_users: number
}

export async function countUsersByDay(db: Db, now: number, number: number): Promise<UsersOfDay[]> {
  const today = dayOf(now)
  const days = Array.from(
    { length: number },
    (_, index) => sql`select ${sql.lit(today - (number - 1 - index) * DAY)} as day`,
  )
  const { rows } = await sql<UsersOfDay>`
    select day,
      (select count(*) from users where created_at >= day and created_at < day + ${sql.lit(DAY)}) as new_users,
      coalesce((select users from active_days where active_days.day = days.day), 0) as active_users
    from (${sql.join(days, sql` union all `)}) as days order by day`.execute(db)
  return rows
}
