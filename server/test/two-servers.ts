import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { countOf, totalOf } from '../platform/database/counts.ts'
import { resources } from '../resources.ts'
import { buildTestApp, createClock, type TestApp } from './build-test-app.ts'
import { createTestDatabase } from './databases.ts'

export const TIMES = 50

export async function buildServers(settings: Record<string, string> = {}): Promise<[TestApp, TestApp]> {
  const database = await createTestDatabase({ shared: true })
  const clock = createClock()
  return [await buildTestApp(settings, { database, clock }), await buildTestApp(settings, { database, clock })]
}

/** Two servers, with a superuser and another person, who send requests to the first one. */
export async function buildPeopledServers() {
  const servers = await buildServers()
  const [one, two] = servers
  return { servers, one, two, root: await one.newUser({ is_superuser: true }), ada: await one.newUser() }
}

export async function allAtOnce(
  servers: [TestApp, TestApp],
  ask: (server: TestApp, index: number) => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse[]> {
  return Promise.all(Array.from({ length: TIMES }, (_, index) => ask(servers[index % 2 === 0 ? 0 : 1], index)))
}

export function tally(responses: LightMyRequestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of responses) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

/** Expects counts to match the rows, and each row to have an owner or to be hidden because its owner was deleted. */
export async function expectConsistentCounts({ store: { db } }: TestApp): Promise<void> {
  const users = await db.selectFrom('users').select('id').execute()
  const totals = await db.selectFrom('totals').select(['name', 'value']).execute()
  const sum = (name: string) => totals.reduce((all, row) => all + (row.name === name ? row.value : 0), 0)
  expect(sum('users')).toBe(users.length)
  const ids = new Set(users.map(({ id }) => id))
  const deletedOwners = await db.selectFrom('deleted_owners').select('owner_id').execute()
  const deleted = new Set(deletedOwners.map((row) => row.owner_id))
  for (const { table } of resources) {
    // Raw SQL, because a product without resources has no types of their tables.
    const read = sql<{ owner_id: string }>`select owner_id from ${sql.table(table)}`
    const { rows } = await read.execute(db)
    expect(sum(table)).toBe(rows.length)
    const counted = await db.selectFrom('counts').select(['owner_id', 'value']).where('name', '=', table).execute()
    const counts = Object.fromEntries(counted.flatMap((row) => (row.value === 0 ? [] : [[row.owner_id, row.value]])))
    const owned = Object.groupBy(rows, (row) => row.owner_id)
    expect(counts).toEqual(Object.fromEntries(Object.entries(owned).map(([id, own]) => [id, own?.length])))
    const shown = rows.filter((row) => !deleted.has(row.owner_id))
    expect(shown.filter((row) => !ids.has(row.owner_id))).toEqual([])
    expect((await totalOf(table).execute(db)).rows).toEqual([{ count: shown.length }])
    for (const { owner_id } of counted) {
      const own = shown.filter((row) => row.owner_id === owner_id).length
      expect((await countOf(table, owner_id).execute(db)).rows).toEqual([{ count: own }])
    }
  }
}
