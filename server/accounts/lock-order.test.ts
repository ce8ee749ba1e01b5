import { expect, test, vi } from 'vitest'
import type { Store } from '../platform/database/store.ts'
import { createAuthenticator } from '../../tests/support/authenticator.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { buildTestAppWith } from '../test/people.ts'
import { begin, logInWith, register } from '../test/ceremonies.ts'

/** Transactions must write these tables in a fixed order: docs/decisions/0010-rows-as-locks.md. */
const rows = anyResource.map(({ table }) => table)
const ORDERED = new Set(['locks', 'users', 'sessions', ...rows, 'counts', 'totals', 'passkeys', 'limits'])

function recordWrites(store: Store): string[][] {
  const transactions: string[][] = []
  const transaction = store.transaction.bind(store)
  vi.spyOn(store, 'transaction').mockImplementation((work) =>
    transaction((tx) => {
      const tables: string[] = []
      transactions.push(tables)
      const executor = tx.getExecutor()
      const execute = executor.executeQuery.bind(executor)
      vi.spyOn(executor, 'executeQuery').mockImplementation((query) => {
        const [, table] = /^\s*(?:update|delete from|insert into) "?(\w+)/.exec(query.sql) ?? []
        if (table !== undefined && ORDERED.has(table) && tables.at(-1) !== table) tables.push(table)
        return execute(query)
      })
      return work(tx)
    }),
  )
  return transactions
}

test('a deletion of many rows takes its locks in the order of one', async () => {
  const { store, as, root, ada, ben } = await buildTestAppWith({ root: { is_superuser: true }, ada: {}, ben: {} })
  const bulks = anyResource.map(async (sample) => {
    const url = `/${sample.table}/bulk`
    const ids = [await addRow(ada, sample), await addRow(ben, sample)]
    return [[url, ben.token, [await addRow(ben, sample)]] as const, [url, root.token, ids] as const]
  })
  const ofRows = (await Promise.all(bulks)).flat()
  const writes = recordWrites(store)
  for (const [url, token, targets] of [...ofRows, ['/users/bulk', root.token, [ada.id, ben.id]] as const]) {
    const json = { action: 'delete', ids: targets }
    expect((await as(token).post(url, json)).json()).toMatchObject({ changed: targets.length })
  }
  expect(writes).toEqual([
    ...rows.flatMap((table) => [
      ['sessions', table, 'limits'],
      ['locks', 'sessions', table, 'limits'],
    ]),
    ['locks', 'sessions', 'users', 'limits'],
  ])
})

test('a change of many accounts takes its locks in the order of one', async () => {
  const { store, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: {} })
  const writes = recordWrites(store)
  expect((await root.post('/users/bulk', { action: 'deactivate', ids: [ada.id] })).json()).toMatchObject({ changed: 1 })
  expect(writes).toEqual([['locks', 'sessions', 'users', 'sessions', 'limits']])
})

test('every deletion takes its locks in the same order', async () => {
  const { store, as, root, ada, ben } = await buildTestAppWith({ root: { is_superuser: true }, ada: {}, ben: {} })
  const urls: [string, string][] = []
  for (const sample of anyResource) {
    await addRow(ada, sample)
    urls.push([`/${sample.table}/${await addRow(ben, sample)}`, ben.token])
  }
  const writes = recordWrites(store)
  for (const [url, token] of [...urls, ['/users/me', ben.token] as const, [`/users/${ada.id}`, root.token] as const])
    expect((await as(token).delete(url)).statusCode).toBe(200)
  const [ofOneself, ofAnother] = writes.slice(-2)
  expect(writes.slice(0, -2)).toEqual(rows.map((table) => ['sessions', table, 'limits']))
  // The account is locked before its session, and deleted at the end.
  expect(ofOneself).toEqual(['users', 'sessions', 'users', 'limits'])
  expect(ofAnother).toEqual(['locks', 'sessions', 'users'])
})

test('passkeys are locked after the account and the session', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const writes = recordWrites(app.store)
  const key = createAuthenticator()
  const { made } = await register(ada, key)
  await logInWith(app, key)
  const { ceremony, options } = await begin(ada, 'confirmation')
  expect((await ada.post('/users/me/confirm', { ceremony, credential: key.get(options) })).statusCode).toBe(200)
  const { id } = made.json<{ id: string }>()
  expect((await ada.delete(`/users/me/passkeys/${id}`)).statusCode).toBe(200)
  const account = ['users', 'sessions']
  expect(writes).toEqual([
    account,
    [...account, 'passkeys', 'limits'],
    ['limits'],
    [...account, 'passkeys', 'limits'],
    account,
    [...account, 'passkeys', 'sessions', 'limits'],
    [...account, 'passkeys', 'limits'],
  ])
})
