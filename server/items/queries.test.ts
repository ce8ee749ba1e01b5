import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertResourceRows } from '../../scripts/seed/bulk.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { buildTestApp, type TestApp } from '../test/build-test-app.ts'
import { addInBatches, idOf } from '../test/many-users.ts'
import { buildTestAppWith } from '../test/people.ts'
import { planOf, recordQueries } from '../test/query-plans.ts'
import { type Item, itemsTable } from './queries.ts'

const MANY = 1_000

/** Titles are the numbers of the items. */
async function addItems(
  { store, clock }: Pick<TestApp, 'store' | 'clock'>,
  { id: owner_id }: { id: string },
  count: number,
  factsOf: (index: number) => Partial<Item> = () => ({}),
): Promise<void> {
  const common = { ...itemsTable.initial, owner_id, created_at: clock.now() }
  const make = (index: number): Item => ({ ...common, id: idOf(index), title: `${index}`, ...factsOf(index) })
  await addInBatches(count, make, (rows) => store.transaction((tx) => insertResourceRows(tx, itemsTable, rows)))
}

test('an overview takes two queries of items, and six for a superuser, in addition to that for the session', async () => {
  const { store, as, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  const queries = recordQueries(store)
  for (const [token, count] of [
    [ada.token, 2],
    [root.token, 8],
  ] as const) {
    queries.length = 0
    expect((await as(token).get('/users/me/overview')).statusCode).toBe(200)
    expect(queries).toHaveLength(1 + count)
  }
})

test('the row that was edited last is read from an index, without sorting', async () => {
  const app = await buildTestApp()
  const { store, newUser, clock } = app
  const people = [await newUser(), await newUser()]
  const [ada] = people
  for (const person of people)
    await addItems(app, person, MANY, (index) => ({ id: randomUUID(), created_at: clock.now() - index }))
  if (!isSqlite(store.db)) await sql`analyze items`.execute(store.db)
  const queries = recordQueries(store)
  for (const [ownerId, index] of [
    [undefined, 'items_last_edited'],
    [ada?.id, 'items_last_edited_of_owner'],
  ] as const) {
    queries.length = 0
    const [last] = await itemsTable.recentlyEdited(store.db, 5, ownerId)
    expect(last).toMatchObject({ at: clock.now() })
    const plan = await planOf(store, queries[0])
    const byIndex = [expect.stringMatching(new RegExp(`using (index )?${index}\\b`, 'i'))]
    expect(plan.filter((line) => /\b(on )?items\b/i.test(line))).toEqual(byIndex)
    expect(plan.filter((line) => /sort|temp b-tree/i.test(line))).toEqual([])
  }
})
