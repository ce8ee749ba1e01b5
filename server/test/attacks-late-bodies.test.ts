import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { addRow, anyResource } from './any-resource.ts'
import { newPassword, type Person, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { connectTo } from './send-bytes.ts'
import { snapshot } from './snapshot.ts'

interface Scene {
  app: TestApp
  root: Person
  boss: Person
  ada: Person
  /** The id of a row of Ada, if there are resources. */
  row: string | undefined
}

/** @returns a function that adds another superuser to the same server */
async function setUp(): Promise<() => Promise<Scene>> {
  const { app, root, ada } = await buildPeopledApp()
  const [row] = await Promise.all(anyResource.map((sample) => addRow(ada, sample)))
  await app.listen()
  return async () => ({ app, root, ada, row, boss: await app.newUser({ is_superuser: true }) })
}

/** Sends headers, runs `meanwhile` after the server has checked them, and then sends the body. @returns the status */
async function sendSlowly(
  { app }: TestApp,
  [method, url, json]: [string, string, object],
  token: string,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const body = JSON.stringify(json)
  const looked = new Promise<void>((resolve) => {
    app.server.once('request', () => setTimeout(resolve, 50))
  })
  const socket = connectTo(app.listeningOrigin)
  const headers = [
    `${method} /api/v1${url} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  await looked
  await meanwhile()
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(body)
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
}

async function everything({ app }: Scene): Promise<unknown> {
  const { users, rows } = await snapshot(app)
  return { users, rows }
}

const endings: [string, (scene: Scene) => Promise<{ statusCode: number }>][] = [
  ['is demoted', ({ root, boss }) => root.patch(`/users/${boss.id}`, { is_superuser: false })],
  ['is deactivated', ({ root, boss }) => root.patch(`/users/${boss.id}`, { is_active: false })],
  ['gets a new password', ({ root, boss }) => root.patch(`/users/${boss.id}`, { password: newPassword })],
  ['is deleted', ({ root, boss }) => root.delete(`/users/${boss.id}`)],
  ['logs out', ({ boss }) => boss.post('/logout')],
]

const changes: [string, (scene: Scene) => [string, string, object]][] = [
  ...anyResource.flatMap(({ table, full }): typeof changes => [
    ['a new row', () => ['POST', `/${table}/`, full]],
    ['another’s row', ({ row }) => ['PUT', `/${table}/${row}`, full]],
    ['many rows', ({ row }) => ['POST', `/${table}/bulk`, { action: 'delete', ids: [row] }]],
  ]),
  ['a new account', () => ['POST', '/users/', { email: 'late@example.com', password: newPassword }]],
  ['an invitation', () => ['POST', '/users/invite', { email: 'invited@example.com' }]],
  ['another account', ({ ada }) => ['PATCH', `/users/${ada.id}`, { full_name: 'Late' }]],
  ['many accounts', ({ ada }) => ['POST', '/users/bulk', { action: 'deactivate', ids: [ada.id] }]],
  ['an import', () => ['POST', '/users/import', { rows: [{ email: 'imported@example.com' }] }]],
  ['the own account', () => ['PATCH', '/users/me', { full_name: 'Late' }]],
]

/** Operations that change nothing, but answer with facts about all accounts. */
const reads: typeof changes = [
  ['the preview of an import', () => ['POST', '/users/import', { rows: [{ email: 'a@example.com' }], dry_run: true }]],
  ['the errors of an import', () => ['POST', '/users/import', { rows: [{ email: 'a@example.com' }, { email: 'no' }] }]],
  ['the number of accounts', () => ['POST', '/users/bulk', { action: 'delete', filter: {}, count: 0 }]],
  ...anyResource.map(({ table }): (typeof reads)[number] => [
    'the number of rows',
    () => ['POST', `/${table}/bulk`, { action: 'delete', filter: {}, count: 0 }],
  ]),
]

async function expectRefusal(
  what: string,
  request: [string, string, object],
  token: string,
  scene: Scene,
  end: (scene: Scene) => Promise<{ statusCode: number }>,
): Promise<void> {
  let before: unknown
  const status = await sendSlowly(scene.app, request, token, async () => {
    expect((await end(scene)).statusCode).toBe(200)
    before = await everything(scene)
  })
  expect([what, status, await everything(scene)]).toEqual([what, 401, before])
}

describe.each(endings)('a superuser who %s before the body arrives', (_how, end) => {
  test('changes nothing, and is told nothing about other accounts', async () => {
    const newScene = await setUp()
    for (const [what, change] of [...changes, ...reads]) {
      const scene = await newScene()
      await expectRefusal(what, change(scene), scene.boss.token, scene, end)
    }
  })
})

const endingsOfToken: [string, (scene: Scene, id: string) => Promise<{ statusCode: number }>][] = [
  ...endings.filter(([how]) => !/logs out|password/.test(how)),
  ['ends it', ({ boss }, id) => boss.delete(`/users/me/tokens/${id}`)],
]

describe.each(endingsOfToken)('an API token of a superuser who %s before the body arrives', (_how, end) => {
  test('changes nothing, and is told nothing', async () => {
    const newScene = await setUp()
    for (const [what, change] of [...changes.filter(([name]) => !name.endsWith('account')), ...reads]) {
      const scene = await newScene()
      const { id, token } = await scene.app.newApiToken(scene.boss, 'write')
      await expectRefusal(what, change(scene), token, scene, () => end(scene, id))
    }
  })
})

test('an address that was changed meanwhile is not given back by a session that is not fresh', async () => {
  const { app, root, ada } = await (await setUp())()
  app.clock.advance(60 * 60_000)
  const again = await app.newSession(root)
  const email = 'new@example.com'
  const status = await sendSlowly(app, ['PATCH', '/users/me', { email: ada.email }], ada.token, async () =>
    expect((await again.patch(`/users/${ada.id}`, { email })).statusCode).toBe(200),
  )
  expect(status).toBe(423)
  expect((await ada.get('/users/me')).json()).toMatchObject({ email })
})

test('a late body takes effect while the session is valid', async () => {
  const scene = await (await setUp())()
  for (const [, change] of changes) {
    expect(await sendSlowly(scene.app, change(scene), scene.boss.token, async () => undefined)).toBe(200)
  }
})
