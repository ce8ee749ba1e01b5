import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertResourceRows } from '../../scripts/seed/bulk.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { buildTestAppWith } from '../test/people.ts'
import { addInBatches } from '../test/many-users.ts'
import { planOf, recordQueries } from '../test/query-plans.ts'
import { createResourceTable } from './queries.ts'
import { addResourceTable, moveValues } from './table.ts'

interface Thing {
  id: string
  owner_id: string
  created_at: number
  title: string
  state: string
  done: boolean
  due_at: string | null
  price: string | null
  rank: number
}

type ThingSort = 'created_at' | 'state' | 'done' | 'due_at' | 'price' | 'rank'

const fields = ['state', 'done', 'due_at', 'price', 'rank'] as const

const things = createResourceTable<Thing, ThingSort, { priced?: 'yes' | 'no' }>({
  table: 'things' as never,
  fields: {
    title: { isSearched: true },
    state: { filter: 'value' },
    done: { form: 'flag', filter: 'value' },
    due_at: { form: 'time', filter: 'range', isNullable: true },
    price: { form: { places: 2 }, filter: 'range', isNullable: true },
    rank: { filter: 'range' },
  },
  filters: {
    priced: (asked) => ({ where: asked === 'yes' ? sql`price is not null` : sql`price is null` }),
  },
})

async function setUp() {
  const { app, store, clock, ada } = await buildTestAppWith({ ada: {} })
  await store.db.transaction().execute((tx) =>
    addResourceTable(tx as never, {
      table: 'things',
      columns: [
        { name: 'title', type: 'text' },
        { name: 'state', type: 'text', isIndexed: true },
        { name: 'done', type: 'flag', isIndexed: true },
        { name: 'due_at', type: 'time', isNullable: true, isIndexed: true },
        { name: 'price', type: 'decimal', isNullable: true, isIndexed: true },
        { name: 'rank', type: 'integer', isIndexed: true },
      ],
      searched: ['title'],
    }),
  )
  const plain = { title: 'A thing', state: 'open', done: false, due_at: null, price: null, rank: 0 }
  const make = (given: Partial<Thing>): Thing => ({
    ...plain,
    id: randomUUID(),
    owner_id: ada.id,
    created_at: clock.now(),
    ...given,
  })
  const add = async (rows: Thing[]) => store.transaction((tx) => insertResourceRows(tx, things, rows))
  const list = async (given: object) => things.list(store.db, given, { skip: 0, limit: 100 })
  return { ...app, ada, make, add, list }
}

test('decimals and times are stored exactly, and changed', async () => {
  const { store, ada, make, add } = await setUp()
  const values = ['0.00', '-0.01', '0.05', '9999999999999.99', '-9999999999999.99', null].map((price) =>
    make({ price, due_at: price && '0000-01-01T00:00:00.000Z' }),
  )
  await add(values)
  for (const row of values) {
    const key = { id: row.id, ownerId: ada.id }
    expect(await things.find(store.db, key)).toEqual(row)
    const changes = { price: '12.50', due_at: '9999-12-31T23:59:59.999Z' }
    expect(await store.transaction((tx) => things.update(tx, key, changes, 5))).toEqual({ ...row, ...changes })
    expect(await store.transaction((tx) => things.update(tx, key, { price: null }, 6))).toMatchObject({ price: null })
  }
})

test('rows are sorted by value, those without one last, and ties by time and id', async () => {
  const { clock, make, add, list } = await setUp()
  const rows = ['10.00', '9.00', '-1.00', null, '9.00', null].map((price, index) =>
    make({ price, created_at: clock.now() + Math.floor(index / 3), title: `${price}`, done: index > 3 }),
  )
  await add(rows)
  const values = async (sort: string) => (await list({ sort })).data.map(({ price }) => price)
  expect(await values('price')).toEqual(['-1.00', '9.00', '9.00', '10.00', null, null])
  expect(await values('-price')).toEqual(['10.00', '9.00', '9.00', '-1.00', null, null])
  const byTime = (sign: number) => (a: Thing, b: Thing) =>
    sign * (a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
  for (const sign of [1, -1]) {
    const { data } = await list({ sort: sign === 1 ? 'done' : '-done' })
    const groups = [false, true].map((done) => rows.filter((row) => row.done === done).toSorted(byTime(sign)))
    expect(data).toEqual((sign === 1 ? groups : groups.toReversed()).flat())
    const { data: words } = await list({ sort: sign === 1 ? 'done' : '-done', q: '.00' })
    expect(words).toEqual(data.filter(({ price }) => price !== null))
  }
})

test('rows are filtered by ranges that include their ends', async () => {
  const { make, add, list } = await setUp()
  await add(
    ['-1.00', '9.00', '10.00', null].map((price, index) =>
      make({ price, rank: index - 1, due_at: price && `2026-11-2${index}T23:59:59.999Z` }),
    ),
  )
  const prices = async (given: object) => {
    const { data, count } = await list({ sort: 'rank', ...given })
    expect(count).toBe(data.length)
    return data.map(({ price }) => price)
  }
  expect(await prices({ price_from: '9.00' })).toEqual(['9.00', '10.00'])
  expect(await prices({ price_to: '9.00' })).toEqual(['-1.00', '9.00'])
  expect(await prices({ price_from: '-1.00', price_to: '-0.99' })).toEqual(['-1.00'])
  expect(await prices({ rank_from: -1, rank_to: 0 })).toEqual(['-1.00', '9.00'])
  expect(await prices({ due_at_from: '2026-11-21', due_at_to: '2026-11-21' })).toEqual(['9.00'])
  expect(await prices({ due_at_from: '2026-11-21T23:59:59.999Z', due_at_to: '2026-11-22' })).toEqual(['9.00', '10.00'])
  expect(await prices({ due_at_to: '2026-11-21T23:59:58Z' })).toEqual(['-1.00'])
  // The search finds words in another index.
  expect(await prices({ q: 'thing', rank_from: 2 })).toEqual([null])
})

test('rows are filtered by one or more values of a choice, on every page', async () => {
  const { store, make, add, list } = await setUp()
  await add(['open', 'paid', 'closed', 'paid'].map((state, rank) => make({ state, rank })))
  const found = async (state: string) => {
    const { data, count } = await list({ state, sort: 'rank' })
    expect(count).toBe(data.length)
    return data.map(({ rank }) => rank)
  }
  expect(await found('paid')).toEqual([1, 3])
  expect(await found('open,paid')).toEqual([0, 1, 3])
  expect(await found('closed,paid,open')).toEqual([0, 1, 2, 3])
  const asked: object = { state: 'open,paid', sort: '-rank' }
  const page = await things.list(store.db, asked, { skip: 1, limit: 1 })
  expect([page.count, page.data.map(({ rank }) => rank)]).toEqual([3, [1]])
})

test('rows are filtered by a condition of the resource', async () => {
  const { make, add, list } = await setUp()
  await add(['9.00', null, null].map((price, rank) => make({ price, rank })))
  const found = async (given: object) => {
    const { data, count } = await list({ sort: 'rank', ...given })
    expect(count).toBe(data.length)
    return data.map(({ rank }) => rank)
  }
  expect(await found({})).toEqual([0, 1, 2])
  expect(await found({ priced: 'yes' })).toEqual([0])
  expect(await found({ priced: 'no', q: 'thing' })).toEqual([1, 2])
})

test('pages by a field, and of a value, are read from an index without sorting', async () => {
  const { store, clock, ada, newUser, make, add, list } = await setUp()
  const ben = await newUser()
  const makeMany = (owner_id: string) => (rank: number) => {
    const times = { created_at: clock.now() - rank, due_at: new Date(clock.now() + rank * 60_000).toISOString() }
    const full = { ...times, state: rank % 2 ? 'open' : 'done', done: rank % 2 === 0, rank, price: `${rank}.00` }
    return make({ owner_id, ...full, ...(rank % 10 === 0 && { due_at: null, price: null }) })
  }
  for (const { id } of [ada, ben]) await addInBatches(3_000, makeMany(id), add)
  if (!isSqlite(store.db)) await sql`vacuum analyze things`.execute(store.db)
  const queries = recordQueries(store)
  const planFor = async (given: object) => {
    queries.length = 0
    const { data } = await list(given)
    expect(data).toHaveLength(100)
    return (await planOf(store, queries.at(-1))).join('\n')
  }
  for (const owner_id of [undefined, ada.id]) {
    const of = owner_id === undefined ? '' : '_of_owner'
    for (const field of fields)
      for (const sort of [field, `-${field}`]) {
        const plan = await planFor({ sort, owner_id })
        expect([sort, plan]).toEqual([sort, expect.stringMatching(new RegExp(`things_${field}${of}(_desc)?\\b`))])
        // SQLite sorts the rows of the page again.
        const inner = isSqlite(store.db) ? plan.slice(0, plan.search(/SCAN total|LEFT-JOIN/i)) : plan
        expect([sort, inner.match(/Sort Key: .*things|TEMP B-TREE/i)]).toEqual([sort, null])
      }
    expect(await planFor({ state: 'open', owner_id })).toMatch(new RegExp(`things_state${of}\\b`))
    if (!isSqlite(store.db)) continue
    // The plan starts with the filter that fewest rows match.
    const few = await planFor({ done: 'yes', rank_from: 1_000, rank_to: 1_399, owner_id })
    expect(few).toMatch(new RegExp(`things_rank${of}\\b`))
    const many = await planFor({ state: 'open', due_at_from: '2000-01-01', owner_id })
    expect(many).toMatch(new RegExp(`things_state${of}\\b`))
    // If many rows match, the plan reads them in the order of the list.
    for (const [sort, index] of [
      ['-created_at', 'newest'],
      ['price', 'price'],
      ['-rank', 'rank'],
    ]) {
      const scan = await planFor({ due_at_from: '2000-01-01', sort, owner_id })
      const page = scan.slice(scan.indexOf('MATERIALIZE page'), scan.search(/SCAN total|LEFT-JOIN/i))
      expect([sort, page]).toEqual([sort, expect.stringMatching(new RegExp(`things_${index}${of}\\b`))])
      expect([sort, page]).toEqual([sort, expect.not.stringContaining('TEMP B-TREE')])
    }
  }
})

test('two ranges with many rows of an owner are read in the order of time', async () => {
  const { store, clock, ada, make, add, list } = await setUp()
  const makeOne = (rank: number) => make({ rank, price: `${rank}.00`, created_at: clock.now() + rank })
  await addInBatches(21_000, makeOne, add)
  const queries = recordQueries(store)
  const { count, data } = await list({ owner_id: ada.id, rank_from: 10, price_from: '20.00' })
  expect([count, data.length]).toEqual([20_980, 100])
  if (!isSqlite(store.db)) return
  const plan = (await planOf(store, queries.at(-1))).join('\n')
  expect(plan.match(/SEARCH things USING (COVERING )?INDEX \w+/g)?.slice(0, 2)).toEqual(
    Array.from({ length: 2 }, () => 'SEARCH things USING INDEX things_newest_of_owner'),
  )
})

test('rows with a value that goes get another one', async () => {
  const { store, ada, make, add, list } = await setUp()
  await add([make({ state: 'closed' }), make({ state: 'open' }), make({ state: 'late' })])
  await store.db
    .transaction()
    .execute((tx) => moveValues(tx as never, 'things', 'state', { closed: 'done', late: 'open' }))
  const { data } = await list({ sort: 'state', owner_id: ada.id })
  expect(data.map(({ state }) => state)).toEqual(['done', 'open', 'open'])
})
