import { expect } from 'vitest'
import { BLOCK_ROWS } from '../store/blocks.ts'
import { BULK_ROWS, closeAllBlocks, insertItems } from '../store/bulk.ts'
import type { Person, TestApp } from './build-test-app.ts'

/** Enough for two closed blocks and an open rest. */
export const MANY = 3 * BLOCK_ROWS + 500
/** Several rows have the same time, and blocks begin and end among them. */
export const PER_MS = 7

export const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

/** Items of one person, older than what the clock of the tests says. */
export async function addMany({ store, clock }: TestApp, owner: Person, of = MANY, perMs = PER_MS): Promise<void> {
  for (let from = 0; from < of; from += BULK_ROWS) {
    const rows = Array.from({ length: Math.min(BULK_ROWS, of - from) }, (_, offset) => {
      const index = from + offset
      const created_at = clock.now() - MANY + Math.floor(index / perMs)
      return { id: idOf(index), owner_id: owner.id, title: `${index}`, description: null, created_at }
    })
    await store.transaction((tx) => insertItems(tx, rows))
  }
  await closeAllBlocks(store)
}

/** The blocks' sizes by list, from the oldest on. */
export async function readBlocks({ store }: TestApp): Promise<Record<string, number[]>> {
  const rows = await store.db
    .selectFrom('list_blocks')
    .select(['list', 'size'])
    .orderBy('list')
    .orderBy('until')
    .execute()
  return Object.fromEntries(
    Object.entries(Object.groupBy(rows, (row) => row.list)).map(([list, blocks = []]) => [
      list,
      blocks.map((b) => b.size),
    ]),
  )
}

/** Every block has the number of rows that its count says. */
export async function expectSoundBlocks({ store: { db } }: TestApp): Promise<void> {
  const blocks = await db.selectFrom('list_blocks').selectAll().orderBy('list').orderBy('until').execute()
  const last = new Map<string, number>()
  for (const { list, until, size } of blocks) {
    let rows = db
      .selectFrom(list === 'users' ? 'users' : 'items')
      .select((e) => e.fn.countAll<number>().as('there'))
      .where('created_at', '<=', until)
      .where('created_at', '>', last.get(list) ?? -1)
    if (list !== 'users' && list !== 'items') rows = rows.where('owner_id' as 'id', '=', list)
    const { there } = await rows.executeTakeFirstOrThrow()
    expect([list, until, size]).toEqual([list, until, there])
    last.set(list, until)
  }
}

/** Pages from all over a list are those of the list itself. */
export async function expectRightPages(testApp: TestApp, token: string, ownerId?: string): Promise<void> {
  let rows = testApp.store.db.selectFrom('items').select('id').orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId)
  const ids = (await rows.execute()).map(({ id }) => id)
  const edges = [0, 1, BLOCK_ROWS, 2 * BLOCK_ROWS, 3 * BLOCK_ROWS, ids.length]
  const skips = edges.flatMap((edge) => [edge - 1, edge, edge + 1, edge + 613]).filter((skip) => skip >= 0)
  for (const skip of [...skips, 2 ** 31 - 1]) {
    const answer = await testApp.request('GET', `/items/?skip=${skip}&limit=20`, { token })
    const { data, count } = answer.json<{ data: { id: string }[]; count: number }>()
    expect([skip, count, data.map(({ id }) => id)]).toEqual([skip, ids.length, ids.slice(skip, skip + 20)])
  }
}
