import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFairQueue } from '../domain/fair-queue.ts'
import { pendingAnswers } from '../http/plugins/pending-answers.ts'
import { createTurns } from '../http/turns.ts'
import { isSameMailbox } from '../lib/email-address.ts'
import { insertOwned } from '../store/bulk.ts'
import { items } from '../store/items.ts'
import { answerOf, buildTestApp, newPassword, type Person, type TestApp } from './build-test-app.ts'

async function addItems({ store, clock }: TestApp, owner: Person, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    owner_id: owner.id,
    title: `${index}`,
    description: null,
    created_at: clock.now(),
  }))
  for (let from = 0; from < count; from += 1000) {
    await store.transaction((tx) => insertOwned(tx, items, rows.slice(from, from + 1000)))
  }
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(count)
  function count(): void {
    turns += 1
    next = setImmediate(count)
  }
  await work()
  clearImmediate(next)
  return turns
}

describe('long work', () => {
  test('lets other requests run between the batches of a deletion', async () => {
    const testApp = await buildTestApp()
    const ada = await testApp.newUser()
    await addItems(testApp, ada, 5_000)
    await testApp.request('DELETE', '/users/me', { token: ada.token })
    expect(await turnsDuring(testApp.domain.purgeExpired)).toBeGreaterThanOrEqual(10)
  })

  test('runs one at a time for an account, with other requests in between', async () => {
    const inTurn = createTurns()
    let running = 0
    let most = 0
    const read = (account: string) =>
      inTurn(account, async () => {
        running += 1
        most = Math.max(most, running)
        await Promise.resolve()
        running -= 1
      })
    const turns = await turnsDuring(() => Promise.all(Array.from({ length: 20 }, () => read('one'))))
    expect(most).toBe(1)
    expect(turns).toBeGreaterThanOrEqual(19)
    await nextTurnOfTheLoop()
    const results = await Promise.allSettled(Array.from({ length: 70 }, () => read('one')))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(6)
    await expect(read('one')).resolves.toBeUndefined()
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
    const { request, newUser, store } = testApp
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    await addItems(testApp, ada, 10)
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
    expect((await request('DELETE', '/users/me', { token: ada.token, headers })).statusCode).toBe(412)
    expect((await request('DELETE', `/users/${ada.id}`, { token: root.token, headers })).statusCode).toBe(412)
    expect(deletes).toEqual([])
  })
})

describe('unread responses', () => {
  async function serve(options: { maxBytes?: number; timeToRead?: () => number }): Promise<FastifyInstance> {
    const app = Fastify()
    onTestFinished(() => app.close())
    await app.register(pendingAnswers, options)
    app.get('/large', (_request, reply) => void reply.send(Buffer.alloc(8_000_000)))
    await app.listen({ host: '127.0.0.1', port: 0 })
    return app
  }

  /** Sends a request and does not read the response. @returns the server's end of the connection */
  async function ask(app: FastifyInstance): Promise<Socket> {
    const client = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1').pause()
    client.on('error', () => undefined)
    onTestFinished(() => void client.destroy())
    const [[socket]] = await Promise.all([once(app.server, 'connection'), once(client, 'connect')])
    client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(app.server, 'request')
    await nextTurnOfTheLoop()
    return socket as Socket
  }

  test('are bounded in bytes: the oldest ones of the network with the most are aborted', async () => {
    const app = await serve({ maxBytes: 30_000_000 })
    const sockets: Socket[] = []
    for (let i = 0; i < 6; i += 1) sockets.push(await ask(app))
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true, true, true, false, false, false])
  })

  test('are aborted after a timeout', async () => {
    const app = await serve({ timeToRead: () => 50 })
    const socket = await ask(app)
    expect(socket.destroyed).toBe(false)
    await once(socket, 'close')
  })
})

describe('one account', () => {
  test('can change its own data 1,000 times an hour', async () => {
    const app = await buildTestApp()
    const { token, email } = await app.newUser()
    const change = async (json: object) => app.request('PATCH', '/users/me', { token, json })
    for (let i = 0; i < 1000; i += 1) {
      const json = i % 2 === 0 ? { full_name: `Ada ${i}` } : { email: email.replace('e', 'E') }
      expect((await change(json)).statusCode).toBe(200)
    }
    const refused = [429, { detail: 'Too many changes of the account, please try again later' }]
    expect(answerOf(await change({ full_name: 'Ada' }))).toEqual(refused)
    expect(answerOf(await change({ email }))).toEqual(refused)
  })

  test('can change its password while an attacker guesses it with a stolen session', async () => {
    const app = await buildTestApp()
    const ada = await app.newUser()
    const own = await app.logIn(ada.email, ada.password)
    const change = async (token: string, current_password: string, ip: string) =>
      (
        await app.request('PATCH', '/users/me/password', {
          token,
          ip,
          json: { current_password, new_password: newPassword },
        })
      ).statusCode
    const guesses: number[] = []
    for (let i = 0; i < 12; i += 1) guesses.push(await change(ada.token, `wrong guess ${i}`, '203.0.113.9'))
    expect(guesses.filter((status) => status === 400)).toHaveLength(10)
    expect(await change(own, ada.password, '192.0.2.1')).toBe(200)
    expect((await app.request('GET', '/users/me', { token: ada.token })).statusCode).toBe(401)
  })

  test('does not pass its known networks to a later account with its address', async () => {
    const app = await buildTestApp()
    const email = 'ada@example.com'
    const attempt = async (password: string, ip: string) =>
      (await app.request('POST', '/login/access-token', { form: { username: email, password }, ip })).statusCode
    const mallory = await app.newUser({ email })
    expect(await attempt(mallory.password, '203.0.113.9')).toBe(200)
    await app.request('DELETE', '/users/me', { token: mallory.token })
    const ada = await app.newUser({ email })
    for (let i = 0; i < 50; i += 1) expect(await attempt('wrong', `198.51.${i}.7`)).toBe(400)
    expect(await attempt(ada.password, '203.0.113.9')).toBe(429)
  })
})

test.each([
  ['ada@example.com', 'Ada@EXAMPLE.com', true],
  ['ada@bücher.example', 'ada@BÜCHER.example', true],
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
