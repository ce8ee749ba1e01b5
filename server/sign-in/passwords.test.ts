import { hash, verify } from '@node-rs/argon2'
import { describe, expect, test, vi } from 'vitest'
import { createSuperuser, ensureFirstSuperuser, setPassword } from '../operator/rules.ts'
import { createHashing } from '../platform/hashing.ts'
import { buildTestApp, newPassword, type Person, statusAndBody, tokenIn } from '../test/build-test-app.ts'
import { buildTestAppWith, resetByMail } from '../test/people.ts'

const cheap = { memoryCost: 8, timeCost: 1 }

describe('hashes', () => {
  test('use argon2id with 19 MiB, two passes and one lane', async () => {
    const { anonymous, store } = await buildTestApp({}, { realHashing: true })
    await anonymous.post('/users/signup', { email: 'a@example.com', password: 'long enough' })
    const { password_hash } = await store.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('of lower cost are renewed at log-in, with the same password', async () => {
    const { logIn, store, ada } = await buildTestAppWith({ ada: {} }, {}, { realHashing: true })
    const old = await hash(ada.password, { ...cheap, parallelism: 1 })
    await store.db.updateTable('users').set({ password_hash: old }).where('id', '=', ada.id).execute()
    const read = async () =>
      (await store.db.selectFrom('users').select('password_hash').where('id', '=', ada.id).executeTakeFirstOrThrow())
        .password_hash
    await logIn(ada.email, 'wrong')
    expect(await read()).toBe(old)
    expect(await logIn(ada.email, ada.password)).toBeTypeOf('string')
    const renewed = await read()
    expect(renewed).toMatch(/m=19456,t=2,p=1/)
    expect(await logIn(ada.email, ada.password)).toBeTypeOf('string')
    expect(await read()).toBe(renewed)
  })

  test('that are outdated refuse no right password in log-ins, confirmations and changes at the same time', async () => {
    const { newUser, logIn, store } = await buildTestApp({}, { realHashing: true })
    const outdate = async ({ id, password }: Person): Promise<void> => {
      const old = await hash(password, { ...cheap, parallelism: 1 })
      await store.db.updateTable('users').set({ password_hash: old }).where('id', '=', id).execute()
    }
    const ada = await newUser()
    const { email, password } = ada
    const confirm = () => ada.post('/users/me/confirm', { password })
    await outdate(ada)
    const tokens = await Promise.all([logIn(email, password), logIn(email, password), logIn(email, password)])
    expect(tokens).toEqual([expect.any(String), expect.any(String), expect.any(String)])
    await outdate(ada)
    const confirmed = await Promise.all([confirm(), confirm(), logIn(email, password)])
    expect(confirmed).toEqual([
      expect.objectContaining({ statusCode: 200 }),
      expect.objectContaining({ statusCode: 200 }),
      expect.any(String),
    ])
    await outdate(ada)
    const [changed, other] = await Promise.all([
      ada.patch('/users/me/password', { current_password: password, new_password: newPassword }),
      ada.post('/users/me/confirm', { password }),
    ])
    expect(changed.statusCode).toBe(200)
    // The password may have changed before the comparison.
    expect([200, 400]).toContain(other.statusCode)
    expect(await logIn(email, password)).toBeUndefined()
    const refused = store.db.selectFrom('audit').select('action').where('result', '=', 'wrong-password')
    expect(await refused.where('action', '=', 'log-in').execute()).toEqual([{ action: 'log-in' }])
  })

  test('that are outdated admit nobody after the password was changed meanwhile', async () => {
    const { logIn, context, store, ada } = await buildTestAppWith({ ada: {} }, {}, { realHashing: true })
    const old = await hash(ada.password, { ...cheap, parallelism: 1 })
    await store.db.updateTable('users').set({ password_hash: old }).where('id', '=', ada.id).execute()
    const renew = context.hashing.hash.bind(context.hashing)
    vi.spyOn(context.hashing, 'hash').mockImplementationOnce(async (...given) => {
      await setPassword(context, ada.email, newPassword)
      return renew(...given)
    })
    expect(await logIn(ada.email, ada.password)).toBeUndefined()
    expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
  })

  test('run in parallel up to a limit, then wait, then are rejected', async () => {
    const passwords = createHashing({ cost: cheap, cores: 1 })
    const results = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.hash('x', 'a')))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(70 - 65)
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ kind: 'busy', retryAfter: 2 })
    expect(await passwords.check('x', await passwords.hash('x', 'a'), 'a')).toBe('right')
  })

  test('are not computed if the check before them fails', async () => {
    const passwords = createHashing({ cost: cheap, cores: 1 })
    const refusal = new Error('no')
    await expect(passwords.check('x', undefined, 'a', () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await passwords.check('x', undefined, 'a')).toBe('wrong')
  })

  test('that fail do not count as attempts', async () => {
    const { context, tryLogIn, log, ada } = await buildTestAppWith({ ada: {} })
    log.expectErrors()
    const original = { ...context.hashing }
    context.hashing.check = async (_password, _hash, _group, beforeHashing) => {
      await beforeHashing?.()
      throw new Error('out of memory')
    }
    for (let i = 0; i < 12; i += 1) expect((await tryLogIn(ada.email, ada.password)).statusCode).toBe(500)
    Object.assign(context.hashing, original)
    expect((await tryLogIn(ada.email, ada.password)).statusCode).toBe(200)
  })
})

describe('the same letters, typed as other characters', () => {
  // Composed, decomposed, and partly full-width characters.
  const composed = 'caf\u00e9 n\u00ba1 long'
  const decomposed = 'cafe\u0301 n\u00ba1 long'
  const wide = '\uff43\uff41\uff46\u00e9 no1 long'
  const others = [decomposed, wide, composed.normalize('NFKC')]

  /** Creates an account whose hash is of the password as typed. Earlier versions did not normalize passwords. */
  async function enter(typed: string) {
    const { app, ada } = await buildTestAppWith({ ada: {} })
    const users = app.store.db.selectFrom('users').select('password_hash').where('id', '=', ada.id)
    const read = async () => (await users.executeTakeFirstOrThrow()).password_hash
    const old = await hash(typed, { ...cheap, parallelism: 1 })
    await app.store.db.updateTable('users').set({ password_hash: old }).where('id', '=', ada.id).execute()
    const change = async (current_password: string, new_password: string, token = ada.token) => {
      const json = { current_password, new_password }
      const response = await app.as(token).patch('/users/me/password', json)
      return [response.statusCode, response.json<{ detail?: string }>().detail]
    }
    return { ...app, ada, read, old, change }
  }

  test('log in after a sign-up, a reset, an invitation, and a change by an administrator', async () => {
    const app = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    const { anonymous, newUser, logIn } = app
    const root = await newUser({ is_superuser: true })
    await anonymous.post('/users/signup', { email: 'signed-up@example.com', password: decomposed })
    await root.post('/users/', { email: 'made@example.com', password: wide, is_active: true })
    const patched = await newUser({ email: 'patched@example.com' })
    await root.patch(`/users/${patched.id}`, { password: wide })
    const invited = await root.post('/users/invite', { email: 'invited@example.com' })
    const link = tokenIn({ text: invited.json<{ link: string }>().link })
    await anonymous.post('/accept-invitation', { token: link, password: wide })
    await newUser({ email: 'reset@example.com' })
    await resetByMail(app, 'reset@example.com', { new_password: decomposed })
    for (const who of ['signed-up', 'made', 'patched', 'invited', 'reset'])
      for (const typed of others)
        expect([who, typed, await logIn(`${who}@example.com`, typed)]).toEqual([who, typed, expect.any(String)])
  })

  test('are one password in the operator’s commands and for the first superuser', async () => {
    const { context, logIn } = await buildTestApp()
    await ensureFirstSuperuser(context, 'root@example.com', decomposed)
    expect(await logIn('root@example.com', wide)).toBeTypeOf('string')
    await setPassword(context, 'root@example.com', wide.replace('long', 'longer'))
    expect(await logIn('root@example.com', composed.replace('long', 'longer'))).toBeTypeOf('string')
    await createSuperuser(context, 'other@example.com', wide)
    expect(await logIn('other@example.com', decomposed)).toBeTypeOf('string')
  })

  test.each([composed, decomposed, wide])(
    'of an older hash: what was typed logs in, and after that all of them do (%j)',
    async (typed) => {
      const { ada, logIn, read, old } = await enter(typed)
      expect(await logIn(ada.email, typed.replace('long', 'other'))).not.toBeTypeOf('string')
      expect(await read()).toBe(old)
      expect(await logIn(ada.email, typed)).toBeTypeOf('string')
      const renewed = await read()
      expect(renewed).not.toBe(old)
      for (const other of [...others, typed]) expect(await logIn(ada.email, other)).toBeTypeOf('string')
      expect(await read()).toBe(renewed)
    },
  )

  test('of an older hash confirm who it is, which renews it, too', async () => {
    const { ada, read, old } = await enter(decomposed)
    const confirm = async (password: string) => (await ada.post('/users/me/confirm', { password })).statusCode
    expect(await confirm(composed)).toBe(400)
    expect(await read()).toBe(old)
    expect(await confirm(decomposed)).toBe(200)
    expect(await read()).not.toBe(old)
    expect(await confirm(wide)).toBe(200)
    expect((await ada.get('/users/me')).statusCode).toBe(200)
  })

  test('count as the current password, not as a new one', async () => {
    const { change, ada, logIn } = await enter(decomposed)
    const same = 'New password cannot be the same as the current one'
    for (const other of [...others, decomposed]) expect(await change(decomposed, other)).toEqual([400, same])
    expect(await change(decomposed, wide.replace('long', 'another'))).toEqual([200, undefined])
    const changed = composed.replace('long', 'another')
    expect(await logIn(ada.email, changed)).toBeTypeOf('string')
    expect(await change(changed, decomposed.replace('long', 'another'))).toEqual([400, same])
    expect(await change(changed, 'something else')).toEqual([200, undefined])
  })

  test('are counted as they are typed', async () => {
    const { anonymous } = await buildTestApp()
    const signUp = async (password: string) => {
      const json = { email: `ada${password.length}@example.com`, password }
      return (await anonymous.post('/users/signup', json)).statusCode
    }
    expect(await signUp('e\u0301'.repeat(4))).toBe(200)
    expect(await signUp('\ufdfa'.repeat(7))).toBe(422)
    expect(await signUp('\ufdfa'.repeat(256))).toBe(200)
    expect(await signUp('\ufdfa'.repeat(257))).toBe(422)
  })

  test('cost the same whether the account exists, and which of them is right', async () => {
    const verified = vi.fn<typeof verify>(verify)
    const hashing = createHashing({ cost: cheap, cores: 1, verify: verified })
    const asTyped = await hash(decomposed, { ...cheap, parallelism: 1 })
    const inOneForm = await hashing.hash(decomposed, 'a')
    const count = async (password: string, passwordHash: string | undefined) => {
      verified.mockClear()
      await hashing.check(password, passwordHash, 'a')
      return verified.mock.calls.length
    }
    for (const stored of [undefined, asTyped, inOneForm, await hashing.hash('other', 'a')]) {
      expect(await count(decomposed, stored)).toBe(2)
      expect(await count(decomposed.normalize('NFKC'), stored)).toBe(1)
    }
  })
})

describe('the strict policy', () => {
  const common = { detail: [{ loc: ['body', 'password'], msg: 'Password is too common', type: 'weak-password' }] }

  test('rejects common passwords in all five operations', async () => {
    const { anonymous, newUser, deliverMails } = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    const root = await newUser({ is_superuser: true })
    const ada = await newUser()

    await anonymous.post(`/password-recovery/${ada.email}`)
    const reset = tokenIn((await deliverMails())[0])
    const weak = 'Password 123'
    const signUp = await anonymous.post('/users/signup', { email: 'a@example.com', password: weak })
    expect(statusAndBody(signUp)).toEqual([422, common])
    expect(statusAndBody(await root.post('/users/', { email: 'a@example.com', password: weak }))).toEqual([422, common])
    expect(statusAndBody(await root.patch(`/users/${ada.id}`, { password: weak }))).toEqual([422, common])
    const own = await ada.patch('/users/me/password', { current_password: ada.password, new_password: weak })
    expect(own.json()).toMatchObject({ detail: [{ loc: ['body', 'new_password'], msg: 'Password is too common' }] })
    const again = await anonymous.post('/reset-password/', { token: reset, new_password: weak })
    expect(again.json()).toMatchObject({ detail: [{ loc: ['body', 'new_password'], msg: 'Password is too common' }] })
    const strong = { token: reset, new_password: 'something nobody else has' }
    expect((await anonymous.post('/reset-password/', strong)).statusCode).toBe(200)
  })

  test('rejects passwords made of the person’s name or address', async () => {
    const { anonymous } = await buildTestApp({ PASSWORD_POLICY: 'strict' })
    let number = 0
    const signUp = async (password: string) => {
      const email = `ada.lovelace+${(number += 1)}@example.com`
      return anonymous.post('/users/signup', { email, password, full_name: 'Augusta Byron' })
    }
    for (const own of ['ada.lovelace', 'LovelaceAda', 'augusta2026!', 'Byron Augusta', 'ByronLovelace9']) {
      const response = await signUp(own)
      expect([own, response.statusCode]).toEqual([own, 422])
      expect(response.body).toContain('Password should not be made of your name or email address')
    }
    for (const good of ['augusta likes ginger tea', 'nothing of mine at all', 'byronesque-umbrella-7'])
      expect([good, (await signUp(good)).statusCode]).toEqual([good, 200])
  })

  test('is off by default', async () => {
    const { anonymous } = await buildTestApp()
    const json = { email: 'password@example.com', password: 'password123' }
    expect((await anonymous.post('/users/signup', json)).statusCode).toBe(200)
  })

  test('does not apply to existing passwords', async () => {
    const { as, logIn, store, ada } = await buildTestAppWith({ ada: {} }, { PASSWORD_POLICY: 'strict' })
    const password_hash = await hash('password123', { ...cheap, parallelism: 1 })
    await store.db.updateTable('users').set({ password_hash }).where('id', '=', ada.id).execute()
    const token = await logIn(ada.email, 'password123')
    const json = { current_password: 'password123', new_password: 'something nobody else has' }
    expect((await as(token).patch('/users/me/password', json)).statusCode).toBe(200)
  })
})
