import { describe, expect, test } from 'vitest'
import { buildTestApp, nobody } from '../test/build-test-app.ts'
import { plainItem } from '../test/plain-item.ts'

describe('items', () => {
  test('are added with a trimmed title and without unknown fields', async () => {
    const { newUser, request } = await buildTestApp()
    const ada = await newUser()
    const eve = await newUser()
    const json = { title: '  Notes  ', owner_id: eve.id, id: eve.id, created_at: '1999-01-01T00:00:00Z' }
    const made = await request('POST', '/items/', { token: ada.token, json })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toEqual({
      ...plainItem,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      title: 'Notes',
      owner_id: ada.id,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect(made.json<{ id: string }>().id).not.toBe(eve.id)
  })

  test('are listed newest first: users see their own, superusers all', async () => {
    const { newUser, request, clock } = await buildTestApp()
    const ada = await newUser()
    const ben = await newUser()
    const root = await newUser({ is_superuser: true })
    for (const [person, title] of [
      [ada, 'one'],
      [ben, 'two'],
      [ada, 'three'],
    ] as const) {
      clock.advance(1)
      await request('POST', '/items/', { token: person.token, json: { title } })
    }
    const titles = async (token: string, query = '') => {
      const { data, count } = (await request('GET', `/items/${query}`, { token })).json<{
        data: { title: string }[]
        count: number
      }>()
      return [data.map(({ title }) => title), count]
    }
    expect(await titles(ada.token)).toEqual([['three', 'one'], 2])
    expect(await titles(ben.token)).toEqual([['two'], 1])
    expect(await titles(root.token)).toEqual([['three', 'two', 'one'], 3])
    expect(await titles(root.token, '?skip=1&limit=1')).toEqual([['two'], 3])
    expect(await titles(root.token, '?skip=9')).toEqual([[], 3])
  })

  test('that are invalid are rejected without an echo of the input', async () => {
    const { newUser, request } = await buildTestApp()
    const { token } = await newUser()
    const response = await request('POST', '/items/', { token, json: { title: '   ', description: 12345 } })
    expect(response.statusCode).toBe(422)
    expect(response.json()).toEqual({
      detail: [
        { loc: ['body', 'title'], msg: 'String should have at least 1 character', type: 'minLength' },
        { loc: ['body', 'description'], msg: 'Input should be a text or null', type: 'type' },
      ],
    })
    expect(response.body).not.toContain('12345')
  })

  test('need authentication before validation', async () => {
    const { request } = await buildTestApp()
    const response = await request('POST', '/items/', { headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(401)
  })

  test('lengths count code points, after trimming', async () => {
    const { newUser, request } = await buildTestApp()
    const { token } = await newUser()
    const status = async (title: string) => (await request('POST', '/items/', { token, json: { title } })).statusCode
    expect(await status(`  ${'👩'.repeat(255)}  `)).toBe(200)
    expect(await status('👩'.repeat(256))).toBe(422)
  })

  test('of other users and missing ones get the same 404', async () => {
    const { newUser, newItem, request } = await buildTestApp()
    const ada = await newUser()
    const eve = await newUser()
    const id = await newItem(ada)
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const options = { token: eve.token, ...(method === 'PUT' && { json: { title: 'mine' } }) }
      const theirs = await request(method, `/items/${id}`, options)
      const none = await request(method, `/items/${nobody}`, options)
      expect([theirs.statusCode, theirs.body]).toEqual([404, '{"detail":"Item not found"}'])
      expect([none.statusCode, none.body]).toEqual([theirs.statusCode, theirs.body])
    }
    const read = await request('GET', `/items/${id}`, { token: ada.token })
    expect(read.json()).toMatchObject({ title: 'An item' })
  })

  test('keep omitted fields; null clears the description', async () => {
    const { newUser, request, clock } = await buildTestApp()
    const ada = await newUser()
    const { token } = ada
    const made = await request('POST', '/items/', { token, json: { title: 'One', description: 'First' } })
    const item = made.json<{ id: string }>()
    clock.advance(1000)
    const put = async (json: object) => (await request('PUT', `/items/${item.id}`, { token, json })).json<object>()
    expect(await put({})).toEqual(item)
    expect(await put({ title: ' Two ' })).toEqual({ ...item, title: 'Two' })
    expect(await put({ description: '' })).toEqual({ ...item, title: 'Two', description: '' })
    expect(await put({ description: null, owner_id: 'x' })).toEqual({ ...item, title: 'Two', description: null })
    expect((await request('GET', `/items/${item.id.toUpperCase()}`, { token })).json()).toEqual({
      ...item,
      title: 'Two',
      description: null,
    })
  })

  test('can be changed and deleted by superusers, and keep their owner', async () => {
    const { newUser, newItem, request } = await buildTestApp()
    const ada = await newUser()
    const root = await newUser({ is_superuser: true })
    const id = await newItem(ada)
    const changed = await request('PUT', `/items/${id}`, { token: root.token, json: { title: 'Changed' } })
    expect(changed.json()).toMatchObject({ title: 'Changed', owner_id: ada.id })
    expect((await request('GET', '/items/', { token: ada.token })).json()).toMatchObject({ count: 1 })
    const deleted = await request('DELETE', `/items/${id}`, { token: root.token })
    expect(deleted.json()).toEqual({ message: 'Item deleted successfully' })
    expect((await request('GET', '/items/', { token: ada.token })).json()).toEqual({ data: [], count: 0 })
    expect((await request('DELETE', `/items/${id}`, { token: root.token })).statusCode).toBe(404)
  })

  test('have a description of at most 10,000 characters', async () => {
    const { newUser, request } = await buildTestApp()
    const { token } = await newUser()
    const status = async (description: string) =>
      (await request('POST', '/items/', { token, json: { title: 'x', description } })).statusCode
    expect(await status('👩'.repeat(10_000))).toBe(200)
    expect(await status('x'.repeat(10_001))).toBe(422)
  })
})
