import { describe, expect, test } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import { validatorCompiler } from '../platform/http/validation.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { statusAndBody, buildTestApp, type Method, nobody, type Person } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { samples } from '../../tests/support/samples.ts'

async function setScene() {
  const { app, root, ada } = await buildTestAppWith({ root: { is_superuser: true }, ada: { full_name: 'Ada' } })
  const ofAda = anyResource.map(async (sample) => {
    const list = `/${sample.table}/`
    return { ...sample, list, name: sample.searched[0], url: `${list}${await addRow(ada, sample)}` }
  })
  return { ...app, root, ada, rows: await Promise.all(ofAda) }
}

async function tagAt(url: string, person: Person): Promise<string> {
  const { statusCode, headers } = await person.get(url)
  expect([statusCode, headers.etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)])
  return String(headers.etag)
}

const schemas: Record<string, object> = contract.components.schemas

function hasVersions(schema: object): boolean {
  const names = Array.from(JSON.stringify(schema).matchAll(/schemas\/(\w+)/g), ([, name = '']) => name)
  return names.some((name) => name === 'RowVersion' || hasVersions(schemas[name] ?? {}))
}

/** Names of the operations whose responses have a `version` in the contract. */
function operationsWithVersions(): string[] {
  type Operation = { operationId?: string; responses?: Record<string, object> }
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path) as Operation[])
  const found = operations.filter(({ responses }) => hasVersions(responses?.['200'] ?? {}))
  return found.map(({ operationId = '' }) => operationId).toSorted()
}

function rowsIn(value: unknown): { version?: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return 'id' in value ? [value as object] : Object.values(value).flatMap(rowsIn)
}

describe('an entity tag', () => {
  test('is the same for every reader, and in responses to changes', async () => {
    const { root, ada, rows } = await setScene()
    const responses = [
      ...rows.map(({ url, name }) => [url, ada.put(url, { [name]: 'Two' })] as const),
      ['/users/me', ada.patch('/users/me', { full_name: 'A' })] as const,
    ]
    for (const [url, response] of responses) {
      const changed = await response
      expect(changed.statusCode).toBe(200)
      const read = await ada.get(url)
      expect(changed.json()).toEqual(read.json())
      expect(changed.headers.etag).toBe(read.headers.etag)
    }
    const own = await tagAt('/users/me', ada)
    expect(await tagAt(`/users/${ada.id}`, ada)).toBe(own)
    expect(await tagAt(`/users/${ada.id}`, root)).toBe(own)
    for (const { url } of rows) expect(await tagAt(url, root)).toBe(await tagAt(url, ada))
    const same = await root.patch(`/users/${ada.id}`, {})
    expect(same.headers.etag).toBe(own)
  })

  test('is in responses to creations', async () => {
    const { anonymous, root, ada, rows } = await setScene()
    const json = { email: 'new@example.com', password: 'long enough' }
    for (const [response, address] of [
      ...rows.map(({ list, least }) => [ada.post(list, least), list] as const),
      [root.post('/users/', json), '/users/'] as const,
      [anonymous.post('/users/signup', { ...json, email: 'other@example.com' }), '/users/'] as const,
    ]) {
      const made = await response
      const { id } = made.json<{ id: string }>()
      expect(made.headers.etag).toBe(await tagAt(`${address}${id}`, root))
    }
  })

  test('changes with every visible change, and returns when the change is undone', async () => {
    const { root, ada, rows } = await setScene()
    const ofRows = rows.map(async ({ url, name, fields }) => {
      const before = (await root.get(url)).json<object>()
      const texts = fields.filter(({ kind, isNullable }) => kind === 'text' && isNullable)
      const changes: object[] = [{ [name]: 'Two' }, ...texts.map((field) => ({ [field.name]: '' })), before]
      return ['PUT', url, changes] as const
    })
    const ofUser: object[] = [
      { email: ada.email.toUpperCase() },
      { full_name: null },
      { is_active: false },
      { is_superuser: true },
      { email: ada.email, full_name: 'Ada', is_active: true, is_superuser: false },
    ]
    for (const [method, url, changes] of [
      ...(await Promise.all(ofRows)),
      ['PATCH', `/users/${ada.id}`, ofUser] as const,
    ]) {
      const first = await tagAt(url, root)
      const tags = []
      for (const json of changes) {
        await root.send(method, url, json)
        tags.push(await tagAt(url, root))
      }
      expect(tags.at(-1)).toBe(first)
      expect(new Set(tags).size).toBe(changes.length)
    }
  })

  test('without its quotes is the version of the row, in all answers with accounts', async () => {
    const { anonymous, root } = await setScene()
    const json = { email: 'new@example.com', password: 'long enough' }
    const invited = root.post('/users/invite', { email: 'invited@example.com' })
    const { id } = (await invited).json<{ user: { id: string } }>().user
    const answers: Record<string, typeof invited> = {
      'login-test_token': root.post('/login/test-token'),
      'users-create_user': root.post('/users/', json),
      'users-invite_user': invited,
      'users-read_overview': root.get('/users/me/overview'),
      'users-read_user_by_id': root.get(`/users/${id}`),
      'users-read_user_me': root.get('/users/me'),
      'users-read_users': root.get('/users/'),
      'users-register_user': anonymous.post('/users/signup', { ...json, email: 'other@example.com' }),
      'users-resend_invitation': root.post(`/users/${id}/invite`),
      'users-update_user': root.patch(`/users/${id}`, {}),
      'users-update_user_me': root.patch('/users/me', {}),
    }
    // server/test/test-resource.ts tests the operations of resources.
    const others = samples.map(({ table }) => `${table}-`)
    const operations = operationsWithVersions().filter((name) => !others.some((start) => name.startsWith(start)))
    expect(Object.keys(answers)).toEqual(operations)
    for (const [operation, answer] of Object.entries(answers)) {
      const { headers, ...response } = await answer
      const versions = rowsIn(response.json()).map(({ version }) => version)
      const tagged = versions.filter((version) => headers.etag === undefined || headers.etag === `"${version}"`)
      expect([operation, versions.length > 0, versions]).toEqual([operation, true, tagged.filter(Boolean)])
    }
  })

  test('is not in responses with lists, messages and errors', async () => {
    const { root, ada, rows } = await setScene()
    for (const { list, url } of [...rows, { list: '/users/', url: `/users/${ada.id}` }])
      for (const [method, path, status] of [
        ['GET', list, 200],
        ['GET', `${list}${nobody}`, 404],
        ['DELETE', url, 200],
      ] as const) {
        const { statusCode, headers } = await root.send(method, path)
        expect(statusCode).toBe(status)
        expect(headers).not.toHaveProperty('etag')
      }
  })
})

const conditional: [
  name: string,
  (scene: Awaited<ReturnType<typeof setScene>>) => [Method, string, Person, object?],
][] = [
  ...anyResource.flatMap(({ noun, searched: [name] }): typeof conditional => [
    [`the ${noun} is changed`, ({ rows, ada }) => ['PUT', rows[0]?.url ?? '', ada, { [name]: 'Mine' }]],
    [`the ${noun} is deleted`, ({ rows, ada }) => ['DELETE', rows[0]?.url ?? '', ada]],
  ]),
  ['an account is changed', ({ ada, root }) => ['PATCH', `/users/${ada.id}`, root, { email: 'mine@example.com' }]],
  ['an account is deleted', ({ ada, root }) => ['DELETE', `/users/${ada.id}`, root]],
  ['one’s own account is changed', ({ ada }) => ['PATCH', '/users/me', ada, { email: 'mine@example.com' }]],
  ['one’s own account is deleted', ({ ada }) => ['DELETE', '/users/me', ada]],
]

describe.each(conditional)('with If-Match, %s', (_, describeRequest) => {
  test('only if unchanged since it was read', async () => {
    const scene = await setScene()
    const { root, ada, rows, store, deliverMails } = scene
    const [method, url, person, json] = describeRequest(scene)
    const stale = await tagAt(url, person)
    const send = (tag: string) => person.send(method, url, json, { headers: { 'if-match': tag } })

    // Another user changes the account and its rows in the meantime.
    for (const row of rows) await root.put(row.url, { [row.name]: 'Theirs' })
    await root.patch(`/users/${ada.id}`, { full_name: 'Theirs' })
    const before = await person.get(url)
    const audited = await store.db.selectFrom('audit').select('id').execute()

    const changed = [412, { detail: 'This was changed in the meantime. Read it again before you change it' }]
    expect(statusAndBody(await send(stale))).toEqual(changed)
    expect(statusAndBody(await person.get(url))).toEqual(statusAndBody(before))
    expect(await store.db.selectFrom('audit').select('id').execute()).toEqual(audited)
    expect(await deliverMails()).toEqual([])
    for (const { list } of rows) expect((await ada.get(list)).json()).toMatchObject({ count: 1 })

    expect((await send(String(before.headers.etag))).statusCode).toBe(200)
  })
})

describe('If-Match', () => {
  test.each<[string, (tag: string) => string, number]>([
    ['the tag', (tag) => tag, 200],
    ['any', () => '*', 200],
    ['any, with blanks', () => ' * ', 200],
    ['the tag among others', (tag) => `"x" , ${tag},"y"`, 200],
    ['the tag beside one with a comma in it', (tag) => `",", ${tag}`, 200],
    ['another tag', () => '"x"', 412],
    ['the tag, weak: strong comparison', (tag) => `W/${tag}`, 412],
    ['the tag without quotes', (tag) => tag.slice(1, -1), 412],
    ['the tag in a broken list', (tag) => `${tag}, "x`, 412],
    ['the tag within another', (tag) => `"x,${tag.slice(1, -1)}"`, 412],
    ['several tags without commas', (tag) => `"x" ${tag}`, 412],
    ['any in a list', () => '*, "x"', 412],
    ['nothing', () => '', 412],
    ['thousands of tags', (tag) => `${'"x",'.repeat(3000)}${tag}`, 200],
    ['thousands of almost-tags', () => '"x",'.repeat(3000), 412],
  ])('with %s', async (_, header, status) => {
    const { ada } = await setScene()
    const headers = { 'if-match': header(await tagAt('/users/me', ada)) }
    const response = await ada.patch('/users/me', { full_name: 'Two' }, { headers })
    expect(response.statusCode).toBe(status)
  })

  test('is checked after all other errors', async () => {
    const { as, root, ada, newUser, rows } = await setScene()
    const eve = await newUser()
    for (const [method, url, token, json] of [
      ...rows.flatMap(({ list, url: one, name }): [Method, string, string, object?][] => [
        ['PUT', one, eve.token, { [name]: 'x' }],
        ['PUT', `${list}${nobody}`, ada.token, { [name]: 'x' }],
        ['PUT', one, ada.token, { [name]: '' }],
        ['PUT', one, 'none', { [name]: 'x' }],
        ['DELETE', one, eve.token],
        ['DELETE', `${list}${nobody}`, ada.token],
      ]),
      ['PATCH', `/users/${ada.id}`, eve.token, {}] as const,
      ['PATCH', `/users/${nobody}`, root.token, {}] as const,
      ['DELETE', `/users/${nobody}`, root.token] as const,
      ['DELETE', '/users/me', root.token] as const,
    ]) {
      const without = await as(token).send(method, url, json)
      expect([401, 403, 404, 409, 422]).toContain(without.statusCode)
      for (const condition of ['"x"', '*']) {
        const withIt = await as(token).send(method, url, json, { headers: { 'if-match': condition } })
        expect(statusAndBody(withIt)).toEqual(statusAndBody(without))
      }
    }
  })

  test('can be sent by other origins, which can read the tag', async () => {
    const origin = 'https://app.example'
    const { app, newUser } = await buildTestApp({ CORS_ORIGINS: origin })
    const ada = await newUser()
    const preflightResponse = await app.inject({
      method: 'OPTIONS',
      url: '/api/v1/users/me',
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'if-match' },
    })
    expect(preflightResponse.headers['access-control-allow-headers']).toMatch(/\bIf-Match\b/)
    const response = await ada.get('/users/me', { headers: { origin } })
    expect(response.headers['access-control-expose-headers']).toMatch(/\bETag\b/)
  })
})

test('headers of the contract are validated, and other headers are kept', () => {
  const schema = { type: 'object', properties: { 'If-Match': { type: 'string', maxLength: 3 } } }
  const validate = validatorCompiler({ schema, method: 'PUT', url: '/', httpPart: 'headers' })
  const headers = { 'if-match': '"x"', authorization: 'Bearer x' }
  expect(validate(headers)).toBe(true)
  expect(headers).toEqual({ 'if-match': '"x"', authorization: 'Bearer x' })
  expect(validate({ 'if-match': '"xyz"' })).toMatchObject({ error: [{ keyword: 'maxLength' }] })
})
