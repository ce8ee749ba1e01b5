import { randomUUID } from 'node:crypto'
import { samples } from '../../tests/support/samples.ts'
import type { Client, TestApp } from './build-test-app.ts'
import { addInBatches } from './many-users.ts'

/** A resource for tests of what all have in common: the first one without links. A product without one has no such tests. */
export const anyResource = samples.filter(({ fields }) => fields.every(({ kind }) => kind !== 'link')).slice(0, 1)

type AnyResource = (typeof anyResource)[number]

/** @returns the id of the new row */
export async function addRow(person: Client, { table, least }: AnyResource, values: object = {}): Promise<string> {
  return (await person.post(`/${table}/`, { ...least, ...values })).json<{ id: string }>().id
}

/** Adds equal rows. */
export async function addRows({ store }: TestApp, person: Client, sample: AnyResource, count: number): Promise<void> {
  const id = await addRow(person, sample)
  // Without resources, there are no types of their tables.
  const table = sample.table as 'users'
  const row = await store.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const copy = () => ({ ...row, id: randomUUID() })
  await addInBatches(count - 1, copy, (rows) => store.db.insertInto(table).values(rows).execute())
}
