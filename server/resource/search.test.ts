import { change } from '../sessions/change.ts'
import { describe, expect, test } from 'vitest'
import { hostileStrings } from '../../tests/support/hostile-strings.ts'
import type { UserPublic } from '../contract/types.gen.ts'
import { toSearchWords } from '../platform/lib/normalized-text.ts'
import { beginSession } from '../sessions/rules.ts'
import { buildTestApp, type Person } from '../test/build-test-app.ts'
import { auditOf } from '../test/audit-entries.ts'
import { createTestDatabase } from '../test/databases.ts'
import { addRow, addRows, anyResource } from '../test/any-resource.ts'
import { normalizedTextsOf } from '../platform/database/search-columns.ts'
import contract from '../../openapi.json' with { type: 'json' }
import { emptyProfile } from '../../tests/support/samples.ts'

const DAY = 86_400_000

type Row = Record<string, unknown> & { id: string }

/** Another implementation of text normalization, to compare results. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')

function matches({ email, full_name }: UserPublic, q: string): boolean {
  return toSearchWords(q).every((word) => fold(email).includes(word) || fold(full_name ?? '').includes(word))
}

/** In UTC. */
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const words = 'Ölwechsel ÉCLAIR straße Œuvre ﬁnance 50% a_b c\\d "quoted" ΟΔΟΣ İstanbul 東京 x'.split(' ')

async function setUp() {
  const testApp = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
  const root = await testApp.newUser({ is_superuser: true, email: 'root@example.com', full_name: 'Root' })
  const get = async <T>(path: string, query: Record<string, string> = {}, token = root.token) => {
    const response = await testApp.as(token).get(`${path}?${new URLSearchParams(query).toString()}`)
    return { status: response.statusCode, ...response.json<{ data: T[]; count: number }>() }
  }
  return { ...testApp, root, get }
}

async function addUsers({ newUser, clock }: Awaited<ReturnType<typeof setUp>>, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `User${index % 7}.${index}@Example.${index % 2 ? 'com' : 'org'}`
    const full_name = `${words[index % words.length]} ${words[(index * 5 + 1) % words.length]}`
    const facts = { email, is_active: index % 5 > 0, is_superuser: index % 11 === 0 }
    people.push(await newUser({ ...facts, ...(index % 4 > 0 && { full_name }) }))
    clock.advance(index % 3 === 0 ? 0 : 60_000)
  }
  return people
}

const searches = [
  '',
  ' ',
  'öl',
  'OLWECHSEL',
  'eclair strasse',
  'straße',
  'œuvre',
  'fin',
  '50%',
  '%',
  '_',
  'a_b',
  '\\',
  '"',
  '"quoted"',
  'οδος',
  'istanbul',
  '東京',
  '東',
  'user1 org',
  'x 2 com',
  'AND OR NOT',
  'user*',
  'email_search:user',
  '(user',
  '-user',
  'NEAR(a b)',
  '\u0301\u0301',
  'user1\u2003org',
  'a b c d e f g h i j k nothing',
  'é'.repeat(255),
]

describe('a search', () => {
  test('finds rows that contain every word, ignoring case and accents', async () => {
    const testApp = await setUp()
    await addUsers(testApp, 60)
    const all = await testApp.get<UserPublic>('/users/')
    for (const q of searches) {
      const expected = all.data.filter((user) => matches(user, q)).map(({ email }) => email)
      const found = await testApp.get<UserPublic>('/users/', { q })
      expect([q, found.count, found.data.map(({ email }) => email)]).toEqual([q, expected.length, expected])
    }
  })

  test.each(anyResource)('finds $table by their current texts', async (sample) => {
    const { newUser, get } = await setUp()
    const list = `/${sample.table}/`
    const [name, other] = sample.searched
    const ada = await newUser()
    const ben = await newUser()
    const id = await addRow(ada, sample, { [name]: 'Straßenkarte' })
    await addRow(ben, sample, { [name]: 'STRASSE and strasse' })
    const found = async (q: string, token?: string) => (await get<Row>(list, { q }, token)).data.map((row) => row[name])
    expect(await found('straße')).toEqual(['Straßenkarte'])
    expect(await found('strasse')).toEqual(['STRASSE and strasse'])
    expect(await found('karte', ada.token)).toEqual(['Straßenkarte'])
    expect(await found('karte', ben.token)).toEqual([])
    const map = other === undefined ? 'Map, eine KARTE' : 'Map'
    await ada.put(`${list}${id}`, { [name]: map, ...(other !== undefined && { [other]: 'Eine KARTE' }) })
    expect(await found('straßen')).toEqual([])
    expect(await found('map karte')).toEqual([map])
    await ada.put(`${list}${id}`, { ...sample.leastStored, [name]: 'Map' })
    expect(await found('karte')).toEqual([])
    expect(await found('map')).toEqual(['Map'])
    await ada.delete(`${list}${id}`)
    expect(await found('map')).toEqual([])
    await (await newUser({ is_superuser: true })).delete(`/users/${ben.id}`)
    expect(await found('strasse')).toEqual([])
  })

  test('handles attack strings', async () => {
    const { get } = await setUp()
    for (const text of hostileStrings(300)) {
      const q = Array.from(text).slice(0, 255).join('')
      const { status } = await get('/users/', { q })
      expect([q, status]).toEqual([q, /[\0\p{Cs}]/u.test(q) ? 422 : 200])
    }
  })
})

describe('filters and sorts', () => {
  test('give the filtered and sorted list, on every page', async () => {
    const testApp = await setUp()
    const { clock, context, store, get } = testApp
    const people = await addUsers(testApp, 60)
    clock.advance(40 * DAY)
    const device = { ip: '127.0.0.1', userAgent: undefined }
    for (const { id } of people.slice(0, 10))
      await change(context, device, {}, (act) => beginSession(act, { userId: id, method: 'password' }, device))
    const root = await testApp.newUser({ is_superuser: true })
    const someDay = clock.now() - DAY
    const ids = people.map(({ id }) => id)
    const alter = (from: number, to: number, facts: object) =>
      store.db.updateTable('users').set(facts).where('id', 'in', ids.slice(from, to)).execute()
    await alter(50, 60, { last_active_at: null })
    await alter(10, 25, { email_confirmed_at: null })
    await alter(20, 30, { password_hash: '', is_invited: 1 })
    await alter(30, 45, { created_at: someDay })
    const { data: all } = await get<UserPublic>('/users/', {}, root.token)
    expect(all.filter((user) => user.is_invited)).not.toHaveLength(0)

    const isIdle = ({ last_active_at = null }: UserPublic, days: number) =>
      last_active_at === null || Date.parse(last_active_at) <= clock.now() - days * DAY
    const filters: [string, string, (user: UserPublic) => boolean][] = [
      ['role', 'superuser', (user) => user.is_superuser],
      ['role', 'user', (user) => !user.is_superuser],
      ['status', 'active', (user) => user.is_active && !user.is_invited],
      ['status', 'inactive', (user) => !user.is_active],
      ['status', 'invited', (user) => user.is_invited === true],
      ['idle_days', '30', (user) => isIdle(user, 30)],
      ['idle_days', '1', (user) => isIdle(user, 1)],
      ['confirmed', 'yes', (user) => user.email_confirmed_at !== null],
      ['confirmed', 'no', (user) => user.email_confirmed_at === null],
      ['never_active', 'only', (user) => user.last_active_at === null],
      ['never_active', 'from_creation', () => true],
      ['created_from', dayText(someDay), (user) => Date.parse(user.created_at) >= someDay],
      ['created_to', dayText(someDay), (user) => Date.parse(user.created_at) <= someDay],
      ['q', 'user1', (user) => matches(user, 'user1')],
      ['q', 'com', (user) => matches(user, 'com')],
    ]
    const keys: Record<string, (user: UserPublic) => string | null> = {
      created_at: (user) => user.created_at,
      email: (user) => fold(user.email),
      full_name: (user) => (user.full_name === null ? null : fold(user.full_name)),
      last_active_at: (user) => user.last_active_at ?? null,
    }
    const combinations = [
      {},
      ...filters.map(([name, value]) => ({ [name]: value })),
      { role: 'user', status: 'active' },
      { confirmed: 'no', status: 'active' },
      { status: 'active,invited' },
      { status: 'invited,inactive' },
      { status: 'inactive,active,invited' },
      { role: 'user,superuser', status: 'invited' },
      { role: 'user', q: 'com', idle_days: '1' },
      { idle_days: '1', never_active: 'only' },
      { created_from: dayText(someDay), created_to: dayText(someDay) },
    ]
    for (const query of combinations)
      for (const [name, keyOf] of Object.entries(keys))
        for (const descending of [false, true]) {
          const sign = descending ? -1 : 1
          const tieSign = name === 'created_at' ? sign : 1
          const expected = all
            .filter((user) =>
              Object.entries(query).every(([key, value]) =>
                value.split(',').some((one) => filters.find(([n, v]) => n === key && v === one)?.[2](user)),
              ),
            )
            .toSorted((one, other) => {
              const [a, b] = [keyOf(one), keyOf(other)]
              if (a === null || b === null)
                return Number(a === null) - Number(b === null) || byCodePoint(one.id, other.id)
              return sign * byCodePoint(a, b) || tieSign * byCodePoint(one.id, other.id)
            })
            .map(({ id }) => id)
          const sort = `${descending ? '-' : ''}${name}`
          const pages: string[] = []
          for (let skip = 0; skip < expected.length + 20; skip += 20) {
            const page = await get<UserPublic>('/users/', { ...query, sort, skip: `${skip}`, limit: '20' }, root.token)
            expect(page.count).toBe(expected.length)
            pages.push(...page.data.map(({ id }) => id))
          }
          expect([query, sort, pages]).toEqual([query, sort, expected])
        }
  })

  test('count the days of those who were never active from their creation, if asked', async () => {
    const { newUser, store, clock, root, get } = await setUp()
    await root.post('/users/invite', { email: 'old@example.com' })
    const idle = await newUser({ email: 'idle@example.com' })
    await store.db.updateTable('users').set({ last_active_at: clock.now() }).where('id', '=', idle.id).execute()
    clock.advance(30 * DAY)
    const admin = await newUser({ is_superuser: true, email: 'admin@example.com' })
    await admin.post('/users/invite', { email: 'new@example.com' })
    const found = async (query: Record<string, string>) => {
      const { data, count } = await get<UserPublic>('/users/', query, admin.token)
      expect(count).toBe(data.length)
      return data.map(({ email }) => email).toSorted()
    }
    const both = ['idle@example.com', 'old@example.com', 'root@example.com']
    expect(await found({ idle_days: '30' })).toEqual(['new@example.com', ...both].toSorted())
    expect(await found({ idle_days: '30', never_active: 'from_creation' })).toEqual(both)
    expect(await found({ idle_days: '31', never_active: 'from_creation' })).toEqual([])
    const invited = ['old@example.com']
    expect(await found({ idle_days: '30', never_active: 'from_creation', status: 'invited' })).toEqual(invited)
    expect(await found({ never_active: 'only' })).toEqual(['new@example.com', 'old@example.com'])
    const path = '/users/export?idle_days=30&never_active=from_creation'
    expect((await admin.get(path)).body).not.toContain('new@example.com')
  })

  test('find what was created on a day or between two times, also for an export and a bulk', async () => {
    const { newUser, clock, get } = await setUp()
    const ada = await newUser({ email: 'ada@example.com' })
    const addNamed = async (person: Person, name: string) =>
      Promise.all(anyResource.map((sample) => addRow(person, sample, { [sample.searched[0]]: name })))
    const firsts = await addNamed(ada, 'First')
    // The clock begins at midnight (UTC).
    clock.advance(86_399_999)
    await newUser({ email: 'late@example.com' })
    await addNamed(ada, 'Late')
    clock.advance(1)
    const root = await newUser({ email: 'next@example.com', is_superuser: true })
    await addNamed(root, 'Next')
    const found = async (query: Record<string, string>) => {
      const users = await get<UserPublic>('/users/', { ...query, sort: 'created_at' }, root.token)
      expect(users.count).toBe(users.data.length)
      const ofRows = anyResource.map(async ({ table, searched: [name] }) => {
        const { data, count } = await get<Row>(`/${table}/`, query, root.token)
        expect(count).toBe(data.length)
        return data.map((row) => row[name])
      })
      return [users.data.map(({ email }) => email.split('@')[0]), ...(await Promise.all(ofRows))]
    }
    const each = (names: string[]) => anyResource.map(() => names)
    const day = { created_from: '2026-01-01', created_to: '2026-01-01' }
    expect(await found(day)).toEqual([expect.arrayContaining(['ada', 'late']), ...each(['Late', 'First'])])
    expect(await found({ created_from: '2026-01-02' })).toEqual([['next'], ...each(['Next'])])
    expect(await found({ created_from: '2026-01-02T01:00:00+01:00' })).toEqual([['next'], ...each(['Next'])])
    const between = { created_to: '2026-01-01T23:59:59.998Z', created_from: '2026-01-01T23:00:00Z' }
    expect(await found(between)).toEqual([[], ...each([])])
    expect(await found({ created_from: '2026-01-02', created_to: '2026-01-01' })).toEqual([[], ...each([])])
    expect((await get('/users/', { created_from: '2026-02-31' }, root.token)).status).toBe(422)
    const file = await root.get('/users/export?created_from=2026-01-02')
    expect(file.body.trim().split('\r\n')).toEqual([expect.anything(), expect.stringContaining('next@example.com')])
    const bulk = { action: 'delete', filter: { created_to: '2026-01-01', owner_id: ada.id }, count: 2 }
    for (const [index, { table }] of anyResource.entries()) {
      const deleted = await root.post(`/${table}/bulk`, bulk)
      expect(deleted.json()).toEqual({ changed: 2, unchanged: 0, refused: [] })
      expect((await ada.get(`/${table}/${firsts[index]}`)).statusCode).toBe(404)
    }
    const ended = { action: 'deactivate', filter: { q: 'late', created_to: '2026-01-01' }, count: 1 }
    expect((await root.post('/users/bulk', ended)).json()).toMatchObject({ changed: 1 })
  })

  test.each(anyResource)('give correct pages with very many matches in $table', async (sample) => {
    const testApp = await setUp()
    const { newUser, clock, get } = testApp
    const { table, searched } = sample
    const [name] = searched
    const ada = await newUser()
    const textsOf = (text: string) => Object.fromEntries(searched.map((field) => [field, field === name ? text : 'x']))
    await addRow(ada, sample, textsOf('Needle'))
    await addRows(testApp, ada, sample, 6_000, (index) => {
      const texts = textsOf(`Hay ${index % 10}`)
      return {
        ...texts,
        ...normalizedTextsOf(texts, searched),
        created_at: clock.now() - 6_000 + Math.floor(index / 7),
      }
    })
    for (const token of [undefined, ada.token]) {
      const hay = await get<Row>(`/${table}/`, { q: 'hay', sort: name, skip: '600', limit: '50' }, token)
      expect([hay.count, new Set(hay.data.map((row) => row[name]))]).toEqual([6_000, new Set(['Hay 1'])])
      expect((await get(`/${table}/`, { q: 'hay 3', limit: '1' }, token)).count).toBe(600)
      expect((await get(`/${table}/`, { q: 'e', limit: '1' }, token)).count).toBe(1)
      expect((await get(`/${table}/`, { q: 'y', skip: '5990' }, token)).data).toHaveLength(10)
    }
  })

  test.each(anyResource)('show other users’ $table only to superusers', async (sample) => {
    const { newUser, get } = await setUp()
    const list = `/${sample.table}/`
    const ada = await newUser()
    const ben = await newUser()
    await addRow(ada, sample, { [sample.searched[0]]: 'Of Ada' })
    expect((await get(list, { owner_id: ada.id })).count).toBe(1)
    expect((await get(list, { owner_id: ben.id })).count).toBe(0)
    expect((await get(list, { owner_id: ada.id.toUpperCase() }, ada.token)).count).toBe(1)
    expect(await get(list, { owner_id: ada.id }, ben.token)).toEqual({ status: 200, data: [], count: 0 })
  })

  test.each([
    '/users/?role=',
    '/users/?role=admin',
    '/users/?status=',
    '/users/?status=ACTIVE',
    '/users/?status=active,',
    '/users/?status=active,away',
    '/users/?status=active,invited,active',
    '/users/?idle_days=',
    '/users/?idle_days=0',
    '/users/?idle_days=3651',
    '/users/?idle_days=1.5',
    '/users/?never_active=',
    '/users/?never_active=true',
    '/users/?sort=',
    '/users/?sort=password_hash',
    '/users/?sort=--email',
    '/users/?q=a&q=b',
    '/users/?role=user&role=user',
    '/users/?skip=0&skip=0',
    '/users/?limit=1&limit=1',
    `/users/?q=${'a'.repeat(256)}`,
    '/users/?q=%00',
    ...anyResource.flatMap(({ table }) => [
      `/${table}/?sort=owner_id`,
      `/${table}/?owner_id=`,
      `/${table}/?owner_id=me`,
      `/${table}/?limit=1&limit=1`,
      `/${table}/?q=${'a'.repeat(256)}`,
      `/${table}/?q=%00`,
    ]),
  ])('reject %s', async (path) => {
    const { root } = await setUp()
    expect((await root.get(path)).statusCode).toBe(422)
    expect((await root.get(path.replace('/?', '/export?'))).statusCode).toBe(/skip|limit/.test(path) ? 200 : 422)
  })
})

describe('an export', () => {
  /** The fields of a schema, without its version. */
  const fieldsOf = (schema: string) => {
    const { properties = {} } = (contract.components.schemas as Record<string, { properties?: object }>)[schema] ?? {}
    return Object.keys(properties).filter((field) => field !== 'version')
  }

  test('of users is CSV of all matches, and only for superusers', async () => {
    const { anonymous, newUser, root, store } = await setUp()
    const ada = await newUser({ email: 'ada@example.com', full_name: '=1+1' })
    const users = await root.get('/users/export?q=ada')
    expect(users.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
    })
    const at = '2026-01-01T00:00:00.000Z'
    const states = { is_active: true, is_superuser: false, is_invited: false, created_at: at, last_active_at: at }
    const mails = { email_confirmed_at: at, pending_email: null, mail_refused_at: null }
    const shown = { ...emptyProfile, ...states, ...mails, id: ada.id, email: 'ada@example.com', full_name: "'=1+1" }
    const fields = fieldsOf('UserPublic') as (keyof typeof shown)[]
    expect(users.body).toBe(`\uFEFF${fields.join()}\r\n${fields.map((field) => shown[field]).join()}\r\n`)
    const entries = (await auditOf({ store })).filter(({ action }) => action.endsWith('-export'))
    expect(entries).toMatchObject([{ action: 'users-export', actor_id: root.id }])
    expect((await ada.get('/users/export')).statusCode).toBe(403)
    expect((await anonymous.get('/users/export')).statusCode).toBe(401)
  })

  test.each(anyResource)('of $table is CSV of all matches, in the requested order', async (sample) => {
    const { anonymous, newUser, store } = await setUp()
    const { table, leastStored, searched } = sample
    const [name] = searched
    const ada = await newUser()
    const id = await addRow(ada, sample, { [name]: 'With "quotes", and\r\nlines' })
    for (const text of ['=cmd', '+1', '-1', '@a', 'plain', 'ünï']) await addRow(ada, sample, { [name]: text })
    const { body } = await ada.get(`/${table}/export?sort=${name}&limit=1`)
    const fields = fieldsOf(sample.schema)
    const [heading, ...lines] = body.split('\r\n')
    expect(heading).toBe(`\uFEFF${fields.join()}`)
    const shown: Record<string, unknown> = {
      ...leastStored,
      id,
      owner_id: ada.id,
      created_at: '2026-01-01T00:00:00.000Z',
      [name]: '"With ""quotes"", and\r\nlines"',
    }
    expect(body).toContain(`\r\n${fields.map((field) => shown[field]).join()}\r\n`)
    const names = lines.map((line) => line.split(',')[fields.indexOf(name)])
    expect(names.filter((text) => text !== undefined && text !== '' && !text.startsWith('"'))).toEqual([
      "'+1",
      "'-1",
      "'=cmd",
      "'@a",
      'plain',
      'ünï',
    ])
    const entries = (await auditOf({ store })).filter(({ action }) => action.endsWith('-export'))
    expect(entries).toMatchObject([{ action: `${table}-export`, actor_id: ada.id }])
    expect((await anonymous.get(`/${table}/export`)).statusCode).toBe(401)
  })

  test.each(anyResource)('of $table without matches contains only the heading', async ({ table, schema }) => {
    const { root, newUser } = await setUp()
    const response = await root.get(`/${table}/export?q=nothing`)
    expect(response.body).toBe(`\uFEFF${fieldsOf(schema).join()}\r\n`)
    const ada = await newUser()
    expect((await ada.get(`/${table}/export?owner_id=${root.id}`)).body).toBe(response.body)
  })
})
