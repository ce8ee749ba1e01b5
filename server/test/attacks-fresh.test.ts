import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import { type Operation, operations } from '../platform/http/contract.ts'
import { type Client, newPassword, nobody, type Person, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { forgedCredential, register } from './ceremonies.ts'
import { samples } from '../../tests/support/samples.ts'
import { setUpApp } from './second-factors.ts'

const MINUTE = 60_000

type Body = Record<string, unknown>

interface Cast {
  app: TestApp
  /** Superuser whose session is an hour old. */
  root: Person
  ada: Person
  /** The ids of all accounts, by what they are. */
  ids: Record<'root' | 'ada' | 'boss' | 'ben' | 'invited' | 'invitedBoss', string>
}

/** Sets up sessions that are no longer fresh, on a server whose responses contain the links to be mailed. */
async function setUp(): Promise<Cast> {
  const { app, root, ada, eve: ben } = await buildPeopledApp()
  const boss = await app.newUser({ is_superuser: true })
  const invite = async (is_superuser: boolean) => {
    const json = { email: `invited-${is_superuser}@example.com`, is_superuser }
    const answer = await root.post('/users/invite', json)
    return answer.json<{ user: { id: string } }>().user.id
  }
  const [invited, invitedBoss] = [await invite(false), await invite(true)]
  for (const person of [root, ada]) await register(person)
  await setUpApp(app, ada)
  await app.deliverMails()
  app.clock.advance(60 * MINUTE)
  return { app, root, ada, ids: { root: root.id, ada: ada.id, boss: boss.id, ben: ben.id, invited, invitedBoss } }
}

/** Root and Ada. For writes, each gets a server of their own, where nothing has changed. */
async function setUpFor({ method }: Operation): Promise<[Cast, Person][]> {
  const first = await setUp()
  const second = method === 'GET' ? first : await setUp()
  return [
    [first, first.root],
    [second, second.ada],
  ]
}

let addresses = 0
/** An address whose mails the attacker reads. */
const newAddress = () => `${(addresses += 1)}@attacker.example`

/** The values to send for a key of a body. */
function valuesOf(key: string, { enum: listed }: { enum?: unknown[] }, { ids }: Cast, own: Person): unknown[] {
  const values: Record<string, unknown[]> = {
    email: [newAddress(), own.email.toUpperCase()],
    password: [newPassword],
    is_superuser: [true, false],
    is_active: [true, false],
    ids: [Object.values(ids)],
    filter: [{}],
    count: [Object.keys(ids).length],
    rows: [[{ email: newAddress() }], [{ email: newAddress() }, { email: newAddress(), is_superuser: true }]],
    dry_run: [true],
    expires_at: ['2026-02-01T00:00:00Z'],
    credential: [forgedCredential],
  }
  return listed ?? values[key] ?? ['123456']
}

/** Bodies with the required keys and, in addition, each one or two of the others. */
function bodiesOf(operation: Operation, cast: Cast, own: Person): (Body | undefined)[] {
  const sample = samples.find(({ table }) => operation.id.startsWith(`${table}-`))
  const content = (operation.schema.body as { content?: Record<string, { schema: Body }> } | undefined)?.content
  const schema = content?.['application/json']?.schema as
    | { properties: Record<string, Body>; required?: string[] }
    | undefined
  if (!schema) return [undefined]
  const given = Object.entries(schema.properties).map(
    ([key, of]) => valuesOf(key, of, cast, own).map((value) => ({ [key]: value })) as Body[],
  )
  const isRequired = (values: Body[]) => schema.required?.includes(Object.keys(values[0] ?? {})[0] ?? '')
  const least = given
    .filter(isRequired)
    .reduce<Body[]>((bodies, values) => bodies.flatMap((body) => values.map((value) => ({ ...body, ...value }))), [{}])
  const more = given.filter((values) => !isRequired(values)).flat()
  const some = [{}, ...more, ...more.flatMap((one) => more.map((two) => ({ ...one, ...two })))]
  const bodies = least.flatMap((body) => some.map((others) => ({ ...body, ...others })))
  return sample ? [{ ...sample.least }] : bodies
}

/** The paths of an operation with the id of each account. */
function pathsOf({ path }: Operation, { ids }: Cast): { path: string; target?: string }[] {
  if (!path.includes('{user_id}')) return [{ path: path.replaceAll(/\{\w+\}/g, nobody) }]
  return [...Object.values(ids), nobody].map((target) => ({
    path: path.replace('{user_id}', target).replaceAll(/\{\w+\}/g, nobody),
    target,
  }))
}

function needsFreshSession(id: string, body: Body = {}, target = '', { ids }: Cast, own: Person): boolean {
  const rows = (body['rows'] ?? []) as { is_superuser?: boolean }[]
  const conditions: Record<string, boolean> = {
    'users-delete_user_me': true,
    'users-create_token': true,
    'users-passkey_options': true,
    'users-create_passkey': true,
    'users-delete_passkey': true,
    'users-begin_totp': true,
    'users-confirm_totp': true,
    'users-delete_totp': true,
    'users-create_recovery_codes': true,
    'users-reset_second_factor': true,
    'users-identity_options': true,
    'users-delete_own_identity': true,
    'users-delete_identity': true,
    'users-update_user_me': typeof body['email'] === 'string' && body['email'].toLowerCase() !== own.email,
    'users-update_user': ['email', 'password', 'is_superuser'].some((key) => key in body),
    'users-create_user': body['is_superuser'] === true,
    'users-invite_user': body['is_superuser'] === true,
    'users-import_users': body['dry_run'] !== true && rows.some((row) => row.is_superuser),
    'users-bulk_users': ['make_superuser', 'activate'].includes(String(body['action'])),
    'users-send_password_reset': true,
    'users-resend_invitation': [ids.root, ids.boss, ids.invitedBoss].includes(target),
  }
  return conditions[id] ?? false
}

/** Everything that needs a fresh session of a person to change. */
async function readProtected({ app: { store }, ids }: Cast, own: Person) {
  const { db } = store
  const others = Object.values(ids).filter((id) => id !== ids.invited)
  const columns = ['id', 'email_key', 'password_hash', 'is_superuser', 'email_confirmed_at'] as const
  const users = await db.selectFrom('users').select(columns).where('id', 'in', others).orderBy('id').execute()
  const superusers = db.selectFrom('users').select('id').where('is_superuser', '=', 1)
  const begun = db.selectFrom('challenges').selectAll().where('purpose', '=', 'authenticator-app').orderBy('digest')
  const apiTokens = db.selectFrom('api_tokens').select(['id', 'user_id', 'scope', 'expires_at']).orderBy('id')
  const sessions = db.selectFrom('sessions').select(['id', 'authenticated_at']).where('user_id', 'in', others)
  return {
    users: new Map(users.map((user) => [user.id, user])),
    hasOwn: users.some(({ id }) => id === own.id),
    newSuperusers: await superusers.where('id', 'not in', others).execute(),
    passkeys: await db.selectFrom('passkeys').selectAll().orderBy('id').execute(),
    apps: await db.selectFrom('authenticator_apps').selectAll().orderBy('id').execute(),
    begun: await begun.execute(),
    apiTokens: await apiTokens.execute(),
    codes: await db.selectFrom('recovery_codes').selectAll().orderBy('digest').execute(),
    sessions: await sessions.orderBy('id').execute(),
  }
}

type Protected = Awaited<ReturnType<typeof readProtected>>

/** Removes from the earlier state what belonged to deleted accounts and ended sessions. */
function withoutDeleted(before: Protected, after: Protected): Protected {
  const isLeft = ({ user_id }: { user_id: string }) => after.users.has(user_id)
  const live = new Set([...after.sessions, ...after.apiTokens].map(({ id }) => id))
  return {
    ...before,
    users: new Map([...before.users].filter(([id]) => after.users.has(id))),
    passkeys: before.passkeys.filter(isLeft),
    apps: before.apps.filter(isLeft),
    codes: before.codes.filter(isLeft),
    apiTokens: before.apiTokens.filter(({ id }) => live.has(id)),
    sessions: before.sessions.filter(({ id }) => live.has(id)),
  }
}

/** Tries every text that looks like a token. */
async function tryTokens({ app }: Cast, texts: string[], known: string): Promise<void> {
  const found = new Set(texts.flatMap((text) => text.match(/[\w-]{43}/g) ?? []))
  found.delete(known)
  for (const token of found) {
    expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    const json = { token, password: newPassword, new_password: newPassword }
    await app.anonymous.post('/accept-invitation', json)
    await app.anonymous.post('/reset-password/', json)
  }
}

/** Sends every request of an operation as a client of a person, and tries what the answers and mails contain. */
async function attack(
  operation: Operation,
  [cast, own]: [Cast, Person],
  client: Client,
  expectRefusal: (answer: LightMyRequestResponse, path: string, body: Body | undefined, target?: string) => void,
): Promise<void> {
  const before = await readProtected(cast, own)
  const answers: string[] = []
  for (const { path, target } of pathsOf(operation, cast)) {
    for (const body of bodiesOf(operation, cast, own)) {
      const answer = await client.send(operation.method, path, body)
      answers.push(answer.body)
      expectRefusal(answer, path, body, target)
    }
  }
  const mails = (await cast.app.deliverMails()).filter(({ to }) => to.endsWith('@attacker.example'))
  await tryTokens(cast, [...answers, ...mails.map(({ text }) => text)], own.token)
  const after = await readProtected(cast, own)
  expect(after).toEqual(withoutDeleted(before, after))
}

const withIds = (some: readonly Operation[]) => some.map((operation) => [operation.id, operation] as const)

describe('a session that is not fresh', () => {
  test.each(withIds(operations))('reaches nothing that needs a fresh one through %s', async (id, operation) => {
    for (const [cast, own] of await setUpFor(operation))
      await attack(operation, [cast, own], own, ({ statusCode }, path, body, target) => {
        const isExpected = operation.security && needsFreshSession(id, body, target, cast, own)
        const expected = isExpected && ![401, 403, 422].includes(statusCode)
        expect([path, body, statusCode === 423]).toEqual([path, body, Boolean(expected)])
      })
  })

  test.each(['one', 'many'] as const)('does not let a superuser in again, of %s', async (number) => {
    const { app, root } = await buildPeopledApp()
    const former = await app.newUser({ is_superuser: true })
    const url = `/users/${former.id}`
    expect((await root.patch(url, { is_active: false })).statusCode).toBe(200)
    app.clock.advance(60 * MINUTE)
    const activate = (person: Person) =>
      number === 'one'
        ? person.patch(url, { is_active: true })
        : person.post('/users/bulk', { action: 'activate', ids: [former.id] })
    expect((await activate(root)).statusCode).toBe(423)
    expect(await app.logIn(former.email, former.password)).toBeUndefined()
    expect((await activate(await app.newSession(root))).statusCode).toBe(200)
    expect(await app.logIn(former.email, former.password)).toBeTypeOf('string')
  })

  test('is refused by the operations that the contract marks, and by no others', () => {
    const marks = Object.values(contract.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) =>
        typeof operation === 'object' && 'operationId' in operation
          ? [{ id: operation.operationId, marked: 'x-fresh' in operation, refused: '423' in operation.responses }]
          : [],
      ),
    )
    for (const { id, marked, refused } of marks) expect([id, refused]).toEqual([id, marked])
    expect(marks.filter(({ marked }) => marked)).toHaveLength(22)
  })
})

describe('an API token', () => {
  const forTokens = operations.filter((operation) => operation.forTokens)

  test.each(withIds(forTokens))('reaches no way in, and no role, through %s', async (id, operation) => {
    for (const [cast, person] of await setUpFor(operation)) {
      const own = await cast.app.newSession(person)
      const program = await cast.app.newApiToken(own, 'write')
      await attack(operation, [cast, own], program, (answer, path, body, target) => {
        const isRefused = answer.body === JSON.stringify({ detail: 'Tokens cannot do this' })
        const isForPeople = isOnlyForPeople(id, body, target, cast, own)
        const expected = isForPeople && person === cast.root && ![401, 404, 422].includes(answer.statusCode)
        expect([path, body, isRefused]).toEqual([path, body, expected])
      })
    }
  })

  /** True for operations that accept tokens, but not for this request. */
  function isOnlyForPeople(id: string, body: Body = {}, target: string | undefined, cast: Cast, own: Person): boolean {
    const rows = (body['rows'] ?? []) as { is_superuser?: boolean }[]
    if (id === 'users-import_users') return rows.some((row) => row.is_superuser)
    if (id === 'users-bulk_users')
      return ['make_superuser', 'remove_superuser', 'end_sessions'].includes(String(body['action']))
    return needsFreshSession(id, body, target, cast, own)
  }
})
