import { type Kysely, sql } from 'kysely'

const DAY = 86_400_000

/**
 * How many people were active on each day. What is known of earlier days is the last one of each person. Servers of the
 * previous version do not count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('active_days')
    .addColumn('day', 'bigint', (c) => c.primaryKey())
    .addColumn('users', 'bigint', (c) => c.notNull())
    .execute()
  await sql`insert into active_days (day, users)
    select last_active_at / ${sql.lit(DAY)} * ${sql.lit(DAY)} as day, count(*) from users
    where last_active_at is not null group by 1`.execute(db)
}
