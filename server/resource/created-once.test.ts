// The rules are in docs/decisions/0023-created-once.md.
import { describe, expect, test } from 'vitest'
import { addRow, anyResource } from '../test/any-resource.ts'
import { statusAndBody, buildTestApp, type Person } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { expectConsistentCounts } from '../test/two-servers.ts'

type Row = Record<string, unknown> & { id: string }

describe.each(anyResource)('of the $table,', (sample) => {
  const list = `/${sample.table}/`
  const [name] = sample.searched

  async function add(person: Person, key: string, values: object = { [name]: 'Notes' }) {
    return person.post(list, { ...sample.least, ...values }, { headers: { 'idempotency-key': key } })
  }

  async function namesOf(person: Person): Promise<unknown[]> {
    const { data, count } = (await person.get(list)).json<{ data: Row[]; count: number }>()
    expect(count).toBe(data.length)
    return data.map((row) => row[name])
  }

  describe('a row that is created twice with one key', () => {
    test('exists once, and both responses are equal', async () => {
      const { app, ada } = await buildTestAppWith({ ada: {} })
      const values = { ...sample.full, [name]: ' Notes ' }
      const first = await add(ada, 'a key', values)
      app.clock.advance(60_000)
      const second = await add(ada, 'a key', values)
      expect(statusAndBody(first)).toEqual([200, expect.objectContaining({ [name]: 'Notes', owner_id: ada.id })])
      expect(statusAndBody(second)).toEqual(statusAndBody(first))
      expect(second.headers['etag']).toBe(first.headers['etag'])
      expect(await namesOf(ada)).toEqual(['Notes'])
      await expectConsistentCounts(app)
    })

    test('is returned in its current state, whatever the second request contains', async () => {
      const { ada } = await buildTestAppWith({ ada: {} })
      const { id } = (await add(ada, 'a key')).json<Row>()
      const changed = await ada.put(`${list}${id}`, { [name]: 'Changed since' })
      const again = await add(ada, 'a key', { [name]: 'Something else' })
      expect(statusAndBody(again)).toEqual(statusAndBody(changed))
      expect(again.headers['etag']).toBe(changed.headers['etag'])
      expect(await namesOf(ada)).toEqual(['Changed since'])
    })

    test('is created again after it was deleted', async () => {
      const { app, ada } = await buildTestAppWith({ ada: {} })
      const { id } = (await add(ada, 'a key')).json<Row>()
      await ada.delete(`${list}${id}`)
      expect((await add(ada, 'a key', { [name]: 'Anew' })).json()).toMatchObject({ id, [name]: 'Anew' })
      expect(await namesOf(ada)).toEqual(['Anew'])
      await expectConsistentCounts(app)
    })
  })

  test('other keys, or none, create other rows', async () => {
    const { ada } = await buildTestAppWith({ ada: {} })
    const keys = ['key', 'Key', '"key"', 'key, key', `${'k'.repeat(254)}1`, `${'k'.repeat(254)}2`]
    const ids = new Set<string>()
    for (const key of keys) ids.add((await add(ada, key)).json<Row>().id)
    for (let time = 0; time < 2; time += 1) ids.add(await addRow(ada, sample))
    expect(ids.size).toBe(keys.length + 2)
    expect(await namesOf(ada)).toHaveLength(keys.length + 2)
  })

  test('an id derived from a key is a UUID of version 8', async () => {
    const app = await buildTestApp()
    const { id } = (await add(await app.newUser(), 'a key')).json<Row>()
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  describe('an invalid key', () => {
    test.each([
      ['nothing', '', 'String should have at least 1 character', 'minLength'],
      ['256 characters', 'k'.repeat(256), 'String should have at most 255 characters', 'maxLength'],
      ['a letter beyond ASCII', 'clé', 'String should be printable ASCII characters', 'pattern'],
      ['a tab', 'a\tkey', 'String should be printable ASCII characters', 'pattern'],
    ])('of %s is 422 and creates nothing', async (_, key, msg, type) => {
      const { ada } = await buildTestAppWith({ ada: {} })
      const response = await add(ada, key)
      expect(statusAndBody(response)).toEqual([422, { detail: [{ loc: ['header', 'idempotency-key'], msg, type }] }])
      expect(await namesOf(ada)).toEqual([])
    })
  })
})

test('pages of other origins may send a key', async () => {
  const origin = 'https://app.example'
  const { app } = await buildTestApp({ CORS_ORIGINS: origin })
  const preflightResponse = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/users/',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' },
  })
  expect(preflightResponse.headers['access-control-allow-headers']).toMatch(/\bIdempotency-Key\b/)
})
