import { randomUUID } from 'node:crypto'
import { anyResource } from '../../tests/support/samples.ts'
import type { Client, TestApp } from './build-test-app.ts'
import { addInBatches } from './many-users.ts'

export { anyResource }

type AnyResource = (typeof anyResource)[number]

/** @returns the id of the new row */
export async function addRow(person: Client, { table, least }: AnyResource, values: object = {}): Promise<string> {
  return (await person.post(`/${table}/`, { ...least, ...values })).json<{ id: string }>().id
}

/** Adds rows that are equal, except for the values of `factsOf`, which are as the database stores them. */
export async function addRows(
  { store }: Pick<TestApp, 'store'>,
  person: Client,
  sample: AnyResource,
  count: number,
  factsOf: (index: number) => object = () => ({}),
): Promise<void> {
  const id = await addRow(person, sample)
  // Without resources, there are no types of their tables.
  const table = sample.table as 'users'
  const row = await store.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await store.db.deleteFrom(table).where('id', '=', id).execute()
  const copy = (index: number) => ({ ...row, id: randomUUID(), ...factsOf(index) })
  await addInBatches(count, copy, (rows) => store.db.insertInto(table).values(rows).execute())
}
