import { expect, test } from 'vitest'
import { buildTestApp } from '../test/build-test-app.ts'
import { createEarlierDatabase } from '../test/databases.ts'
import { ada, ben, data, gone, history } from '../test/earlier-data.ts'
import { expectConsistentCounts } from '../test/two-servers.ts'

/** Rows of that version, one with a deleted owner. */
const items = `
  insert into items (id, owner_id, title, description, created_at, title_search, description_search, updated_at)
    values ('${ada}', '${ada}', 'Älder', 'Tree', 8, 'alder', 'tree', 9);
  insert into items (id, owner_id, title, created_at, title_search)
    values ('${gone}', '${gone}', 'Hidden', 9, 'hidden'), ('${ben}', '${ben}', 'Ölmütz', 9, 'olmutz');`

test('the items of a database of 0.2.0 are listed, found, changed and deleted', async () => {
  const app = await buildTestApp({}, { database: await createEarlierDatabase(data + items + history) })
  const ofAda = app.as('session')
  await expectConsistentCounts(app)
  for (const [path, count] of [
    ['/items/', 2],
    [`/items/?owner_id=${ben}`, 1],
    ['/items/?q=olmutz', 1],
    ['/items/?q=tree', 1],
  ] as const)
    expect({ path, ...(await ofAda.get(path)).json<object>() }).toMatchObject({ path, count })
  expect((await ofAda.put(`/items/${ben}`, { title: 'Prague' })).statusCode).toBe(200)
  expect((await ofAda.delete(`/items/${ada}`)).statusCode).toBe(200)
  expect((await ofAda.get('/items/')).json()).toMatchObject({ count: 1, data: [{ title: 'Prague' }] })
  await expectConsistentCounts(app)
})
