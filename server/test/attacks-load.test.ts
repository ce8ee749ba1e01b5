import { operations } from '../platform/http/contract.ts'
import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { createListQueue } from '../platform/http/list-queue.ts'
import { isSameMailbox } from '../platform/lib/email-address.ts'
import { createFairQueue } from '../platform/lib/fair-queue.ts'
import { addRows, anyResource } from './any-resource.ts'
import { buildTestApp, newPassword, type Person, statusAndBody } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { iterationsDuring } from './iterations.ts'
import { recordTransactions } from './query-plans.ts'

describe('long work', () => {
  test.each(anyResource)('lets other requests run between the batches of a deletion', async (sample) => {
    const { app, ada } = await buildPeopledApp()
    await addRows(app, ada, sample, 5_000)
    await ada.delete('/users/me')
    expect(await iterationsDuring(() => app.housekeeping.runAll())).toBeGreaterThanOrEqual(10)
  })

  test('of lists starts one by one, with other requests in between', async () => {
    const { root } = await buildPeopledApp()
    const read = () => root.get('/users/')
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
    const { app, root, ada } = await buildPeopledApp()
    for (const sample of anyResource) await addRows(app, ada, sample, 10)
    const queries = recordTransactions(app.store)
    const headers = { 'if-match': '"another"' }
    expect((await ada.delete('/users/me', { headers })).statusCode).toBe(412)
    expect((await root.delete(`/users/${ada.id}`, { headers })).statusCode).toBe(412)
    expect(queries.length).toBeGreaterThan(0)
    expect(queries.filter(({ kind }) => kind === 'DeleteQueryNode')).toEqual([])
  })
})

test('each operation whose answer has a list is limited', () => {
  const limited = operations.filter(({ isList, security, method }) => isList && security && method === 'GET')
  const ids = limited.map(({ id }) => id)
  const ofRows = anyResource.map(({ table }) => `${table}-read_${table}`)
  const others = ['users-read_users', 'users-read_overview', 'audit-read_audit']
  expect(ids).toEqual(expect.arrayContaining([...others, ...ofRows]))
  expect(ids).not.toContain('users-read_user_me')
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
  const { app, ada, eve } = await buildPeopledApp()
  const { store } = app
  const transaction = store.transaction.bind(store)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  store.transaction = async (work) => {
    begun += 1
    await released
    return transaction(work)
  }
  const rename = (person: Person) => person.patch('/users/me', { full_name: 'A name' })
  const flood = Array.from({ length: 50 }, () => rename(eve))
  await vi.waitUntil(() => begun === 4)
  const other = rename(ada)
  await vi.waitUntil(() => begun > 4)
  expect(begun).toBe(5)
  release()
  const statuses = (await Promise.all([...flood, other])).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual(statuses.map(() => 200))
})

describe('one account', () => {
  test('can change its own data 1,000 times an hour', async () => {
    const { ada } = await buildPeopledApp()
    for (let i = 0; i < 1000; i += 1) {
      const json = i % 2 === 0 ? { full_name: `Ada ${i}` } : { email: ada.email.replace('e', 'E') }
      expect((await ada.patch('/users/me', json)).statusCode).toBe(200)
    }
    const refused = [429, { detail: 'Too many changes of the account, please try again later' }]
    for (const json of [{ full_name: 'Ada' }, { email: ada.email }])
      expect(statusAndBody(await ada.patch('/users/me', json))).toEqual(refused)
  })

  test('can change its password while an attacker guesses it with a stolen session', async () => {
    const { app, ada } = await buildPeopledApp()
    const own = await app.newSession(ada)
    const change = async (person: Person, current_password: string, ip: string) =>
      (await person.patch('/users/me/password', { current_password, new_password: newPassword }, { ip })).statusCode
    const guesses: number[] = []
    for (let i = 0; i < 12; i += 1) guesses.push(await change(ada, `wrong guess ${i}`, '203.0.113.9'))
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
