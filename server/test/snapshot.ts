import type { TestApp } from './build-test-app.ts'

/** All rows of the tables that attackers must not change. */
export async function snapshot({ store: { db } }: TestApp) {
  return {
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    items: await db.selectFrom('items').selectAll().orderBy('id').execute(),
    sessions: await db.selectFrom('sessions').selectAll().orderBy('id').execute(),
    apiTokens: await db.selectFrom('api_tokens').selectAll().orderBy('id').execute(),
    tokens: await db.selectFrom('challenges').selectAll().orderBy('user_id').execute(),
  }
}
