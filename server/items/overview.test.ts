import { describe, expect, test } from 'vitest'
import { sampleOfTable } from '../../tests/support/samples.ts'
import type { Overview } from '../contract/types.gen.ts'
import { addRow } from '../test/any-resource.ts'
import { buildTestApp, type Person } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'

const sample = sampleOfTable('items')

const newItem = (person: Person, title = 'An item') => addRow(person, sample, { title })

async function overviewOf(person: Person): Promise<Overview> {
  const response = await person.get('/users/me/overview')
  expect(response.statusCode).toBe(200)
  return response.json<Overview>()
}

describe('the overview', () => {
  test('of a user has only the own items, and no users, and of a superuser those of all', async () => {
    const { newUser, clock, ada, ben } = await buildTestAppWith({ ada: {}, ben: {} })
    const nothing = { items: { count: 0, recently_edited: [] }, users: null, days: null, setup: null }
    expect(await overviewOf(ada)).toEqual(nothing)
    await newItem(ada, 'Older')
    clock.advance(1)
    const id = await newItem(ada, 'Newer')
    clock.advance(1)
    await newItem(ben, 'Of Ben')
    const root = await newUser({ is_superuser: true })
    const all = { count: 3, recently_edited: [{ item: { owner_id: ben.id } }, {}, {}] }
    expect((await overviewOf(root)).items).toMatchObject(all)
    expect(await overviewOf(ada)).toEqual({
      items: {
        count: 2,
        recently_edited: [
          {
            item: {
              ...sample.leastStored,
              id,
              title: 'Newer',
              owner_id: ada.id,
              created_at: '2026-01-01T00:00:00.001Z',
              version: expect.any(String) as string,
            },
            at: '2026-01-01T00:00:00.001Z',
          },
          expect.objectContaining({ at: '2026-01-01T00:00:00.000Z' }),
        ],
      },
      users: null,
      days: null,
      setup: null,
    })
  })
})

describe('the item that was edited last', () => {
  /** Ada has two items and Ben has one, created in intervals of a minute. */
  async function setScene() {
    const testApp = await buildTestApp()
    const { newUser, clock } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    const ben = await newUser()
    const created: string[] = []
    for (const person of [ada, ada, ben]) {
      clock.advance(60_000)
      created.push(await newItem(person))
    }
    const [older = '', newer = '', ofBen = ''] = created
    const edit = (person: Person, id: string, json: object, headers: Record<string, string> = {}) => {
      clock.advance(60_000)
      return person.put(`/items/${id}`, json, { headers })
    }
    const lastEdited = async (person: Person) => {
      const [last] = (await overviewOf(person)).items.recently_edited ?? []
      return last && [last.item.id, last.at]
    }
    return { ...testApp, root, ada, ben, older, newer, ofBen, edit, lastEdited }
  }

  test('is the newest one, or an older one that was changed since, by its owner or a superuser', async () => {
    const { root, ada, older, newer, edit, lastEdited } = await setScene()
    expect(await lastEdited(ada)).toEqual([newer, '2026-01-01T00:02:00.000Z'])
    expect((await edit(ada, older, { title: 'Changed' })).statusCode).toBe(200)
    expect(await lastEdited(ada)).toEqual([older, '2026-01-01T00:04:00.000Z'])
    expect((await edit(root, newer, { description: 'Changed' })).statusCode).toBe(200)
    expect(await lastEdited(ada)).toEqual([newer, '2026-01-01T00:05:00.000Z'])
  })

  test('is one of the own items for a user, and of all items for a superuser', async () => {
    const { root, ada, ben, newer, ofBen, edit, lastEdited } = await setScene()
    await edit(ben, ofBen, { title: 'Changed' })
    expect(await lastEdited(ada)).toEqual([newer, '2026-01-01T00:02:00.000Z'])
    for (const person of [ben, root]) expect(await lastEdited(person)).toEqual([ofBen, '2026-01-01T00:04:00.000Z'])
  })

  test('is the previous one after its deletion, or that of its owner', async () => {
    const { store, root, ada, ben, older, newer, ofBen, edit, lastEdited } = await setScene()
    await edit(ben, ofBen, { title: 'Changed' })
    await edit(ada, older, { title: 'Changed' })
    await ada.delete(`/items/${older}`)
    expect(await lastEdited(ada)).toEqual([newer, '2026-01-01T00:02:00.000Z'])
    expect(await lastEdited(root)).toEqual([ofBen, '2026-01-01T00:04:00.000Z'])
    // Items of a deleted owner are hidden until a job deletes them.
    await store.db.insertInto('deleted_owners').values({ owner_id: ben.id }).execute()
    expect(await lastEdited(root)).toEqual([newer, '2026-01-01T00:02:00.000Z'])
  })

  test('stays after updates without fields, and refused updates', async () => {
    const { root, ada, older, newer, edit, lastEdited } = await setScene()
    const before = [newer, '2026-01-01T00:02:00.000Z']
    expect((await edit(ada, older, {})).statusCode).toBe(200)
    expect((await edit(ada, older, { title: 'x' }, { 'if-match': '"other"' })).statusCode).toBe(412)
    expect(await lastEdited(ada)).toEqual(before)
    await edit(root, older, { title: 'Changed' })
    expect(await lastEdited(ada)).toEqual([older, '2026-01-01T00:06:00.000Z'])
  })
})
