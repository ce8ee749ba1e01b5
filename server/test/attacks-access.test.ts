import { describe, expect, test } from 'vitest'
import { samples } from '../../tests/support/samples.ts'
import { addRow } from './any-resource.ts'
import { type List, type Method, nobody, type Person } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { snapshot } from './snapshot.ts'

/** People, and the ids of Ada's rows by table. */
async function setUp() {
  const people = await buildPeopledApp()
  await people.ada.patch('/users/me', { full_name: 'Ada' })
  const rows: Record<string, string> = {}
  for (const sample of samples) rows[sample.table] = await addRow(people.ada, sample)
  return { ...people, rows }
}

type Cast = Awaited<ReturnType<typeof setUp>>

describe('a regular user who attacks other users’ data', () => {
  test('cannot distinguish another user’s data from missing data', async () => {
    const { ada, eve, rows } = await setUp()
    const seen = async (method: Method, url: string, json?: object) => {
      const { statusCode, headers, rawPayload } = await eve.send(method, url, json)
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return { statusCode, headers: rest, bytes: rawPayload.toString('hex') }
    }
    for (const { table, least } of samples)
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const json = method === 'PUT' ? least : undefined
        const other = await seen(method, `/${table}/${rows[table]}`, json)
        expect(other).toEqual(await seen(method, `/${table}/${nobody}`, json))
      }
    expect(await seen('GET', `/users/${ada.id}`)).toEqual(await seen('GET', `/users/${nobody}`))
  })

  test.each(samples)('finds only their own $table in lists, whatever the query', async (sample) => {
    const { ada, eve } = await setUp()
    const own = await addRow(eve, sample)
    const [name] = sample.searched
    const q = encodeURIComponent(String(new Map(Object.entries(sample.least)).get(name)))
    for (const [query, found] of [
      ['', [own]],
      [`?owner_id=${ada.id}`, []],
      [`?q=${q}&owner_id=${ada.id}`, []],
      [`?q=${q}`, [own]],
      ['?is_superuser=true', [own]],
      ['?skip=0&limit=100&owner=*', [own]],
    ] as const) {
      const { data, count } = (await eve.get(`/${sample.table}/${query}`)).json<List>()
      expect([query, data.map(({ id }) => id), count]).toEqual([query, found, found.length])
    }
  })
})

describe('fields that only the server sets', () => {
  const forbidden = (other: Person) => ({
    id: other.id,
    user_id: other.id,
    owner_id: other.id,
    owner: other.id,
    email_key: 'forged@example.com',
    password_hash: 'forged',
    hashed_password: 'forged',
    created_at: '1999-01-01T00:00:00.000Z',
    updated_at: 1,
    last_used_at: 0,
    token_hash: 'forged',
    count: 9,
    message: 'forged',
    confirm_password: 'forged',
    ['__proto__']: { is_superuser: true },
    constructor: { prototype: { is_superuser: true } },
    prototype: { is_superuser: true },
  })
  const roles = { is_superuser: true, is_active: false }
  const nameColumns = ['full_name', 'full_name_search']

  const writes: [Method, (cast: Cast) => string, (cast: Cast) => object, 'eve' | 'root', string[]][] = [
    ['PATCH', () => '/users/me', () => ({ ...roles, password: 'long enough', full_name: 'Eve' }), 'eve', nameColumns],
    [
      'PATCH',
      () => '/users/me/password',
      ({ eve }) => ({ ...roles, current_password: eve.password, new_password: 'another good one' }),
      'eve',
      ['password_hash'],
    ],
    ['PATCH', ({ eve }) => `/users/${eve.id}`, () => ({ full_name: 'Eve' }), 'root', nameColumns],
    ...samples.map(({ table, searched: [name], changes }): (typeof writes)[number] => [
      'PUT',
      ({ rows }) => `/${table}/${rows[table]}`,
      () => changes.find((one) => name in one) ?? {},
      'root',
      [name, `${name}_search`, 'updated_at'],
    ]),
  ]

  test.each(writes)('%s %s: nothing else changes', async (method, url, body, who, columns) => {
    const cast = await setUp()
    const before = await snapshot(cast.app)
    const json = { ...body(cast), ...forbidden(cast.ada) }
    expect((await cast[who].send(method, url(cast), json)).statusCode).toBe(200)
    const after = await snapshot(cast.app)
    expect(after.sessions).toEqual(before.sessions)
    const changed = [...after.users, ...after.rows].flatMap((row, index) => {
      const old: Record<string, unknown> = [...before.users, ...before.rows][index] ?? {}
      return Object.entries(row).flatMap(([key, value]) => (old[key] === value ? [] : [key]))
    })
    expect(changed.toSorted()).toEqual(columns)
  })

  test.each([
    ['/users/signup', undefined, roles, 1],
    ['/users/', 'root', {}, 0],
  ] as const)('POST %s: the account has a new id and ordinary values', async (url, who, more, is_active) => {
    const { app, ada, root } = await setUp()
    const client = who === 'root' ? root : app.anonymous
    const json = { email: 'new@example.com', password: 'long enough', ...more, ...forbidden(ada) }
    const response = await client.post(url, json)
    expect(response.statusCode).toBe(200)
    const { id } = response.json<{ id: string }>()
    expect(id).not.toBe(ada.id)
    const made = (await snapshot(app)).users.find((user) => user.id === id)
    expect(made).toMatchObject({ is_superuser: 0, is_active, email_key: 'new@example.com', full_name: null })
    expect(made).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2id\$/), created_at: app.clock.now() })
  })

  test('do not pollute prototypes, as JSON, form or query', async () => {
    const { root } = await buildPeopledApp()
    const keys = ['__proto__', 'constructor.prototype', 'constructor[prototype]', '__proto__[hacked]', 'prototype']
    const query = keys.map((key) => `${encodeURIComponent(key)}=hacked&${encodeURIComponent(`${key}.hacked`)}=1`)
    const form = new URLSearchParams({ username: root.email, password: root.password }).toString()
    const send = (method: Method, url: string, type: string, text: string) =>
      root.send(method, url, Buffer.from(text), { headers: { 'content-type': type } })
    const nested = '{"__proto__":{"hacked":1},"constructor":{"prototype":{"hacked":1}}}'
    const json = `{"full_name":"x","__proto__":${nested},"constructor":{"prototype":{"hacked":1}}}`
    const responses = [
      await root.get(`/users/?${query.join('&')}`),
      await send('POST', '/login/access-token', 'application/x-www-form-urlencoded', `${query.join('&')}&${form}`),
      await send('PATCH', '/users/me', 'application/json', json),
      await send('PATCH', '/users/me', 'application/json', json.replaceAll('__proto__', String.raw`\u005f_proto__`)),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    for (const value of [{}, [], () => {}, 'text']) expect(value).not.toHaveProperty('hacked')
  })
})
