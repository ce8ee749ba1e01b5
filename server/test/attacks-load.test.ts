import { operations } from '../platform/http/contract.ts'
import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { createListQueue } from '../platform/http/list-queue.ts'
import { isSameMailbox } from '../platform/lib/email-address.ts'
import { createFairQueue } from '../platform/lib/fair-queue.ts'
import { addRows, anyResource } from './any-resource.ts'
import { statusAndBody, buildTestApp, newPassword, type Person } from './build-test-app.ts'

async function iterationsDuring(work: () => Promise<unknown>): Promise<number> {
  let iterations = 0
  let next = setImmediate(count)
  function count(): void {
    iterations += 1
    next = setImmediate(count)
  }
  await work()
  clearImmediate(next)
  return iterations
}

describe('long work', () => {
  test.each(anyResource)('lets other requests run between the batches of a deletion', async (sample) => {
    const testApp = await buildTestApp()
    const ada = await testApp.newUser()
    await addRows(testApp, ada, sample, 5_000)
    await ada.delete('/users/me')
    expect(await iterationsDuring(() => testApp.housekeeping.runAll())).toBeGreaterThanOrEqual(10)
  })

  test('of lists starts one by one, with other requests in between, and four at a time for an account', async () => {
    const testApp = await buildTestApp()
    const ada = await testApp.newUser({ is_superuser: true })
    let running = 0
    let most = 0
    testApp.app.addHook('preHandler', async () => void (running += 1))
    testApp.app.addHook('onSend', async () => {
      most = Math.max(most, running)
      running -= 1
    })
    const read = () => ada.get('/users/')
    const iterations = await iterationsDuring(async () => {
      const statuses = (await Promise.all(Array.from({ length: 20 }, read))).map(({ statusCode }) => statusCode)
      expect(statuses).toEqual(statuses.map(() => 200))
    })
    expect(iterations).toBeGreaterThanOrEqual(19)
  })

  test('in many small groups does not always reject a new group', async () => {
    let admitted = 0
    for (let round = 0; round < 200; round += 1) {
      const queue = createFairQueue({ parallel: 1, maxWaiting: 4 })
      const others = ['a', 'b', 'c', 'd', 'e'].map((group) => queue.run(group, async () => undefined))
      const newcomer = queue.run('newcomer', async () => (admitted += 1))
      await Promise.allSettled([...others, newcomer])
    }
    expect(admitted).toBeGreaterThan(100)
  })

  test('does not start for a deletion whose precondition fails', async () => {
    const testApp = await buildTestApp()
    const { newUser, store } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    for (const sample of anyResource) await addRows(testApp, ada, sample, 10)
    const deletes: string[] = []
    const transaction = store.transaction.bind(store)
    store.transaction = (work) =>
      transaction((tx) =>
        work(
          tx.withPlugin({
            transformQuery: ({ node }) => {
              if (node.kind === 'DeleteQueryNode') deletes.push(node.kind)
              return node
            },
            transformResult: async ({ result }) => result,
          }),
        ),
      )
    const headers = { 'if-match': '"another"' }
    expect((await ada.delete('/users/me', { headers })).statusCode).toBe(412)
    expect((await root.delete(`/users/${ada.id}`, { headers })).statusCode).toBe(412)
    expect(deletes).toEqual([])
  })
})

test('each operation whose answer has a list is limited', () => {
  const limited = operations.filter(({ isList, security, method }) => isList && security && method === 'GET')
  expect(limited.map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      ['users-read_users', 'users-read_overview', 'audit-read_audit'].concat(
        anyResource.map(({ table }) => `${table}-read_${table}`),
      ),
    ),
  )
  expect(limited.map(({ id }) => id)).not.toContain('users-read_user_me')
})

test('an account has at most four lists that are read or sent, until their clients have read them', async () => {
  const acquire = createListQueue()
  const begin = (id: string) => {
    const raw = Object.assign(new EventEmitter(), { destroy() {} })
    const request = { signal: new AbortController().signal } as unknown as FastifyRequest
    return { raw, begun: acquire(id, request, { raw } as unknown as FastifyReply) }
  }
  const first = Array.from({ length: 4 }, () => begin('ada'))
  await Promise.all(first.map(({ begun }) => begun))
  let isFifth = false
  const fifth = begin('ada').begun.then(() => (isFifth = true))
  await begin('eve').begun
  expect(isFifth).toBe(false)
  first[2]?.raw.emit('close')
  await fifth
})

test('an account has at most four changes in progress, and others do not wait for the rest', async () => {
  const { app, newUser, store } = await buildTestApp()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const [eve, ada] = [await newUser(), await newUser()]
  const transaction = store.transaction.bind(store)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  store.transaction = async (work) => {
    begun += 1
    await released
    return transaction(work)
  }
  const rename = async ({ token }: Person) =>
    fetch(`${app.listeningOrigin}/api/v1/users/me`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"full_name":"A name"}',
    })
  const flood = Array.from({ length: 50 }, () => rename(eve))
  await vi.waitUntil(() => begun === 4)
  const other = rename(ada)
  await vi.waitUntil(() => begun > 4)
  expect(begun).toBe(5)
  release()
  const statuses = (await Promise.all([...flood, other])).map(({ status }) => status)
  expect(statuses).toEqual(statuses.map(() => 200))
})

describe('one account', () => {
  test('can change its own data 1,000 times an hour', async () => {
    const app = await buildTestApp()
    const ada = await app.newUser()
    const change = async (json: object) => ada.patch('/users/me', json)
    for (let i = 0; i < 1000; i += 1) {
      const json = i % 2 === 0 ? { full_name: `Ada ${i}` } : { email: ada.email.replace('e', 'E') }
      expect((await change(json)).statusCode).toBe(200)
    }
    const refused = [429, { detail: 'Too many changes of the account, please try again later' }]
    expect(statusAndBody(await change({ full_name: 'Ada' }))).toEqual(refused)
    expect(statusAndBody(await change({ email: ada.email }))).toEqual(refused)
  })

  test('can change its password while an attacker guesses it with a stolen session', async () => {
    const app = await buildTestApp()
    const ada = await app.newUser()
    const own = await app.logIn(ada.email, ada.password)
    const change = async (token: string, current_password: string, ip: string) =>
      (await app.as(token).patch('/users/me/password', { current_password, new_password: newPassword }, { ip }))
        .statusCode
    const guesses: number[] = []
    for (let i = 0; i < 12; i += 1) guesses.push(await change(ada.token, `wrong guess ${i}`, '203.0.113.9'))
    expect(guesses.filter((status) => status === 400)).toHaveLength(10)
    expect(await change(own, ada.password, '192.0.2.1')).toBe(200)
    expect((await ada.get('/users/me')).statusCode).toBe(401)
  })

  test('does not pass its known networks to a later account with its address', async () => {
    const app = await buildTestApp()
    const email = 'ada@example.com'
    const attempt = async (password: string, ip: string) => (await app.tryLogIn(email, password, { ip })).statusCode
    const mallory = await app.newUser({ email })
    expect(await attempt(mallory.password, '203.0.113.9')).toBe(200)
    await mallory.delete('/users/me')
    const ada = await app.newUser({ email })
    for (let i = 0; i < 50; i += 1) expect(await attempt('wrong', `198.51.${i}.7`)).toBe(400)
    expect(await attempt(ada.password, '203.0.113.9')).toBe(429)
  })
})

test.each([
  ['ada@example.com', 'Ada@EXAMPLE.com', true],
  ['ada@bücher.example', 'ada@BÜCHER.example', true],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example', true],
  ['ada@BÜCHER.example', 'ada@XN--BCHER-KVA.example', true],
  ['ada@bücher.example', 'ada@bücher.example/path', false],
  ['ada@1.2.example', 'ada@1.2.example:80', false],
  ['u@οδος-1.example', 'u@ΟΔΟΣ-1.example', false],
  ['ada@example.com', 'ada@example.org', false],
])('%s and %s are the same mailbox: %s', (one, other, same) => {
  expect(isSameMailbox(one, other)).toBe(same)
})

test('API docs are not compressed for a client that rejects gzip', async () => {
  const { app } = await buildTestApp()
  const encodingFor = async (accept: string) =>
    (await app.inject({ url: '/docs/start.js', headers: { 'accept-encoding': accept } })).headers['content-encoding']
  expect(await encodingFor('br, gzip')).toBe('gzip')
  expect(await encodingFor('gzip;q=0.5')).toBe('gzip')
  expect(await encodingFor('gzip;q=0')).toBeUndefined()
  expect(await encodingFor('gzip; q=0.000, br')).toBeUndefined()
})
