import { sql } from 'kysely'
import { resources } from '../resources.ts'
import type { TestApp } from './build-test-app.ts'

// Raw SQL, because a product without resources has no types of their tables.
const rowsOf = (table: string) => sql<Record<string, unknown>>`select * from ${sql.table(table)} order by id`

/** All rows of the tables that attackers must not change. */
export async function snapshot({ store: { db } }: Pick<TestApp, 'store'>) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    rows: (await Promise.all(resources.map(({ table }) => rowsOf(table).execute(db)))).flatMap(({ rows }) => rows),
    sessions: await db.selectFrom('sessions').selectAll().orderBy('id').execute(),
    apiTokens: await db.selectFrom('api_tokens').selectAll().orderBy('id').execute(),
    tokens: await db.selectFrom('challenges').selectAll().orderBy('user_id').execute(),
  }
}
