import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { createHashing } from '../platform/hashing.ts'
import { statusAndBody, buildTestApp, tokenIn } from '../test/build-test-app.ts'

const cheap = { memoryCost: 8, timeCost: 1 }

describe('hashes', () => {
  test('use argon2id with 19 MiB, two passes and one lane', async () => {
    const { request, store } = await buildTestApp({}, { realHashing: true })
    await request('POST', '/users/signup', { json: { email: 'a@example.com', password: 'long enough' } })
    const { password_hash } = await store.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('of lower cost are renewed at log-in, with the same password', async () => {
    const { newUser, logIn, store } = await buildTestApp({}, { realHashing: true })
    const { id, email, password } = await newUser()
    const old = await hash(password, { ...cheap, parallelism: 1 })
    await store.db.updateTable('users').set({ password_hash: old }).where('id', '=', id).execute()
    const read = async () =>
      (await store.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
        .password_hash
    await logIn(email, 'wrong')
    expect(await read()).toBe(old)
    expect(await logIn(email, password)).toBeTypeOf('string')
    const renewed = await read()
    expect(renewed).toMatch(/m=19456,t=2,p=1/)
    expect(await logIn(email, password)).toBeTypeOf('string')
    expect(await read()).toBe(renewed)
  })

  test('run in parallel up to a limit, then wait, then are rejected', async () => {
    const passwords = createHashing({ cost: cheap, cores: 1 })
    const results = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.hash('x', 'a')))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(70 - 65)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ kind: 'busy', retryAfter: 2 })
    }
    expect(await passwords.matches('x', await passwords.hash('x', 'a'), 'a')).toBe(true)
  })

  test('are not computed if the check before them fails', async () => {
    const passwords = createHashing({ cost: cheap, cores: 1 })
    const refusal = new Error('no')
    await expect(passwords.matches('x', undefined, 'a', () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await passwords.matches('x', undefined, 'a')).toBe(false)
  })

  test('that fail do not count as attempts', async () => {
    const { context, request, newUser, log } = await buildTestApp()
    const { email, password } = await newUser()
    log.expectErrors()
    const original = { ...context.hashing }
    const form = { username: email, password }
    context.hashing.matches = async (_password, _hash, _group, beforeHashing) => {
      await beforeHashing?.()
      throw new Error('out of memory')
    }
    for (let i = 0; i < 12; i += 1) {
      expect((await request('POST', '/login/access-token', { form })).statusCode).toBe(500)
    }
    Object.assign(context.hashing, original)
    expect((await request('POST', '/login/access-token', { form })).statusCode).toBe(200)
  })
})

describe('the strict policy', () => {
  const common = { detail: [{ loc: ['body', 'password'], msg: 'Password is too common', type: 'weak-password' }] }

  test('rejects common passwords in all five operations', async () => {
    const app = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    const { request, newUser, deliverMails } = app
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()
    const { token } = root
    await request('POST', `/password-recovery/${ada.email}`)
    const reset = tokenIn((await deliverMails())[0])
    const weak = 'Password 123'
    const signUp = await request('POST', '/users/signup', { json: { email: 'a@example.com', password: weak } })
    expect(statusAndBody(signUp)).toEqual([422, common])
    const create = await request('POST', '/users/', { token, json: { email: 'a@example.com', password: weak } })
    expect(statusAndBody(create)).toEqual([422, common])
    expect(statusAndBody(await request('PATCH', `/users/${ada.id}`, { token, json: { password: weak } }))).toEqual([
      422,
      common,
    ])
    const json = { current_password: ada.password, new_password: weak }
    const own = await request('PATCH', '/users/me/password', { token: ada.token, json })
    expect(own.json()).toMatchObject({ detail: [{ loc: ['body', 'new_password'], msg: 'Password is too common' }] })
    const again = await request('POST', '/reset-password/', { json: { token: reset, new_password: weak } })
    expect(again.json()).toMatchObject({ detail: [{ loc: ['body', 'new_password'], msg: 'Password is too common' }] })
    const strong = { token: reset, new_password: 'something nobody else has' }
    expect((await request('POST', '/reset-password/', { json: strong })).statusCode).toBe(200)
  })

  test('rejects passwords made of the person’s name or address', async () => {
    const { request } = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    let number = 0
    const signUp = async (password: string) => {
      const email = `ada.lovelace+${(number += 1)}@example.com`
      return request('POST', '/users/signup', { json: { email, password, full_name: 'Augusta Byron' } })
    }
    for (const own of ['ada.lovelace', 'LovelaceAda', 'augusta2026!', 'Byron Augusta', 'ByronLovelace9']) {
      const response = await signUp(own)
      expect([own, response.statusCode]).toEqual([own, 422])
      expect(response.body).toContain('Password should not be made of your name or email address')
    }
    for (const good of ['augusta likes ginger tea', 'nothing of mine at all', 'byronesque-umbrella-7']) {
      expect([good, (await signUp(good)).statusCode]).toEqual([good, 200])
    }
  })

  test('is off by default', async () => {
    const { request } = await buildTestApp()
    const json = { email: 'password@example.com', password: 'password123' }
    expect((await request('POST', '/users/signup', { json })).statusCode).toBe(200)
  })

  test('does not apply to existing passwords', async () => {
    const { request, logIn, newUser, store } = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    const { id, email } = await newUser()
    const password_hash = await hash('password123', { ...cheap, parallelism: 1 })
    await store.db.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
    const token = await logIn(email, 'password123')
    const json = { current_password: 'password123', new_password: 'something nobody else has' }
    expect((await request('PATCH', '/users/me/password', { token, json })).statusCode).toBe(200)
  })
})
