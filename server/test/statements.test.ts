import type { Kysely } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buildTestApp } from './build-test-app.ts'
import { type Asked, finish, newUserWithApp } from './second-factors.ts'

async function statementsOf(db: Kysely<never>, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const executor: object = Object.getPrototypeOf(Object.getPrototypeOf(db.getExecutor()))
  const { executeQuery } = executor as { executeQuery: (query: { sql: string }) => unknown }
  vi.spyOn(executor as { executeQuery: typeof executeQuery }, 'executeQuery').mockImplementation(function count(
    this: object,
    query,
  ) {
    // Commits are announced at an unpredictable time.
    if (!query.sql.includes('pg_notify')) sent.push(query.sql)
    return executeQuery.call(this, query)
  })
  await work()
  return sent
}

test.each(['192.0.2.1', '2001:db8::1'])('a log-in with a code from %s takes at most 20 statements', async (ip) => {
  const { app, ada, show } = await newUserWithApp(await buildTestApp())
  const sent = await statementsOf(app.store.db as never, async () => {
    const asked = await app.tryLogIn(ada.email, ada.password, { ip })
    const { login } = asked.json<Asked>().second_factor
    expect((await finish(app, login, show(), { ip })).statusCode).toBe(200)
  })
  expect(sent.slice(20)).toEqual([])
})
