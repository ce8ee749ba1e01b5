import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tables } from '../tables.ts'
import type { TestApp } from './build-test-app.ts'
import { addInBatches } from './many-users.ts'

type Row = Insertable<Tables['audit']>
type NewRow = Partial<Row> & Pick<Row, 'at' | 'action'>

export async function addEntries({ store }: Pick<TestApp, 'store'>, entries: readonly NewRow[]): Promise<void> {
  const common = { result: 'done', actor_id: null, subject_id: null, origin: '192.0.2.1' }
  const make = (index: number): Row => ({ ...common, id: randomUUID(), ...(entries[index] as NewRow) })
  await addInBatches(entries.length, make, (rows) => store.db.insertInto('audit').values(rows).execute())
}

/** Oldest first. */
export async function auditOf({ store }: Pick<TestApp, 'store'>, action?: string) {
  const entries = store.db.selectFrom('audit').selectAll().orderBy('at').orderBy('id')
  const rows = await (action === undefined ? entries : entries.where('action', '=', action)).execute()
  return rows.map(({ details, ...row }) => ({
    ...row,
    details: details === null ? null : (JSON.parse(details) as Record<string, unknown>),
  }))
}
