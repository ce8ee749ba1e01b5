import { expect, test } from 'vitest'
import { hashToken } from '../platform/lib/secret-token.ts'
import { newPassword, statusAndBody, type TestApp } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'

const MINUTE = 60_000

async function authenticationOf({ store }: TestApp, token: string) {
  const session = store.db.selectFrom('sessions').where('token_hash', '=', hashToken(token))
  return session.select(['created_at', 'authenticated_at', 'authenticated_by']).executeTakeFirstOrThrow()
}

test('a log-in makes a session fresh, and the right password this one alone again', async () => {
  const { app, ada } = await buildTestAppWith({ ada: {} })
  const start = app.clock.now()
  const other = await app.logIn(ada.email, ada.password)
  app.clock.advance(20 * MINUTE)
  const unchanged = { created_at: start, authenticated_at: start, authenticated_by: 'password' }
  expect(await authenticationOf(app, other)).toEqual(unchanged)
  const confirm = (password: string) => ada.post('/users/me/confirm', { password }).then(statusAndBody)
  expect(await confirm('wrong password')).toEqual([400, { detail: 'Incorrect password' }])
  expect((await authenticationOf(app, ada.token)).authenticated_at).toBe(start)
  expect(await confirm(ada.password)).toEqual([200, { message: 'Confirmed' }])
  expect((await authenticationOf(app, ada.token)).authenticated_at).toBe(app.clock.now())
  expect((await authenticationOf(app, other)).authenticated_at).toBe(start)
  expect(await auditOf(app, 'confirm')).toMatchObject([
    { result: 'wrong-password', actor_id: ada.id },
    { result: 'done', actor_id: ada.id },
  ])
})

test('guesses at the password share the limit of changes of the password', async () => {
  const { ada } = await buildTestAppWith({ ada: {} })
  for (let i = 0; i < 10; i += 1)
    await ada.patch('/users/me/password', { current_password: 'wrong password', new_password: newPassword })
  expect((await ada.post('/users/me/confirm', { password: ada.password })).statusCode).toBe(429)
})

test('a session that ends meanwhile is not renewed', async () => {
  const { ada } = await buildTestAppWith({ ada: {} })
  const [, confirmed] = await Promise.all([
    ada.post('/logout'),
    ada.post('/users/me/confirm', { password: ada.password }),
  ])
  expect(confirmed.statusCode).toBe(401)
})
