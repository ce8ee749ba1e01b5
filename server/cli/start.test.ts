import { createServer } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'
import { ConfigError } from '../platform/config.ts'
import { NewerSchema } from '../platform/database/migrate.ts'
import { postgresDialect } from '../platform/database/postgres.ts'
import { openStore } from '../platform/database/store.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { createTestDatabase } from '../test/databases.ts'

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('It should have failed')
    },
    (error: unknown) => error,
  )
}

test('a database of a newer version is refused with one sentence', async () => {
  const database = await createTestDatabase({ shared: true })
  const store = await database.open()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030-01-01')`.execute(store.db)
  const failure = await failureOf(database.open())
  await store.close()
  expect(failure).toBeInstanceOf(NewerSchema)
  expect(explainFailure(failure)).toMatch(/^This database was made by a newer version of Steward; [^\n]+\.$/)
})

test('a port in use is reported', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const { app } = await buildTestApp()
  const failure = await failureOf(app.listen({ host: '127.0.0.1', port }))
  other.close()
  expect(explainFailure(failure)).toBe(
    `Port ${port} on 127.0.0.1 is in use. If Steward is not running there, set PORT to another port.`,
  )
})

test('an unreachable database is reported without its URL', async () => {
  const url = 'postgres://steward:secret@127.0.0.1:1/steward'
  const failure = await failureOf(openStore(postgresDialect(url, { onError: () => undefined, connections: 1 })))
  expect(explainFailure(failure)).toMatch(/^The database cannot be used: ECONNREFUSED [^\n]*$/)
  expect(explainFailure(failure)).not.toContain('secret')
})

test('a missing certificate file of DATABASE_URL is reported', async () => {
  const url = 'postgres://steward:secret@127.0.0.1:1/steward?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  const failure = await failureOf(openStore(postgresDialect(url, { onError: () => undefined, connections: 1 })))
  expect(explainFailure(failure)).toBe('The file /nowhere/ca.pem cannot be read: ENOENT')
})

test('invalid settings are printed without a stack, unexpected errors with one', () => {
  expect(explainFailure(new ConfigError('Invalid settings'))).toBe('Invalid settings')
  expect(explainFailure(new TypeError('x is not a function'))).toContain('start.test.ts')
})
