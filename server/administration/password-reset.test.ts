import { expect, test } from 'vitest'
import { buildTestApp, newPassword, statusAndBody, tokenIn } from '../test/build-test-app.ts'

const minute = 60_000

async function enter(settings: Record<string, string> = { SMTP_URL: 'smtp://localhost:1' }) {
  const app = await buildTestApp(settings)
  const root = await app.newUser({ is_superuser: true, email: 'root@example.com' })
  const ada = await app.newUser({ email: 'Ada@Example.com' })
  const send = async (id = ada.id, token = root.token) => app.request('POST', `/users/${id}/password-reset`, { token })
  const entries = async () =>
    app.store.db
      .selectFrom('audit')
      .select(['result', 'actor_id', 'subject_id'])
      .where('action', '=', 'reset-send')
      .execute()
  return { ...app, root, ada, send, entries }
}

test('mails the owner a link to choose a password, and changes nothing until then', async () => {
  const { root, ada, send, entries, request, logIn, deliverMails } = await enter()
  const response = await send()
  expect(statusAndBody(response)).toEqual([200, { message: 'Password reset sent' }])
  const [mail, ...more] = await deliverMails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: 'Ada@Example.com', kind: 'recovery' })
  expect(response.body).not.toContain(tokenIn(mail))
  expect((await request('GET', '/users/me', { token: ada.token })).statusCode).toBe(200)
  expect(await logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect(await entries()).toEqual([{ result: 'done', actor_id: root.id, subject_id: ada.id }])

  const json = { token: tokenIn(mail), new_password: newPassword }
  expect((await request('POST', '/reset-password/', { json })).statusCode).toBe(200)
  expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
})

test('says that there is no mail server', async () => {
  const { send, entries, deliverMails } = await enter({})
  expect((await send()).json()).toEqual({ message: expect.stringMatching(/^There is no mail server\./) })
  expect(await deliverMails()).toMatchObject([{ to: 'Ada@Example.com' }])
  expect(await entries()).toMatchObject([{ result: 'no-mail-server' }])
})

test('is refused for accounts that cannot use it, and sends nothing', async () => {
  const { send, root, request, newUser, deliverMails } = await enter()
  const idle = await newUser({ is_active: false })
  const json = { email: 'invited@example.com' }
  const invited = (await request('POST', '/users/invite', { token: root.token, json })).json<{ user: { id: string } }>()
  await deliverMails()
  expect(statusAndBody(await send(idle.id))).toEqual([409, { detail: 'This user is inactive' }])
  expect(statusAndBody(await send(invited.user.id))).toEqual([409, { detail: 'This user has not set a password yet' }])
  expect(await deliverMails()).toEqual([])
})

test('five an hour go to an address, by all superusers together, whatever strangers asked for', async () => {
  const { send, ada, newUser, request, clock, deliverMails } = await enter()
  const second = await newUser({ is_superuser: true })
  for (let i = 0; i < 12; i += 1) {
    clock.advance(minute)
    await request('POST', `/password-recovery/${ada.email}`, { ip: `198.51.100.${i}` })
  }
  await deliverMails()
  for (let i = 0; i < 5; i += 1) expect((await send()).statusCode).toBe(200)
  const refused = await send(ada.id, second.token)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ detail: 'Too many password resets to this address, please try again later' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await deliverMails()).toHaveLength(5)
  clock.advance(60 * minute)
  expect((await send()).statusCode).toBe(200)
})

test('a reset that waits while the account is deactivated is not sent', async () => {
  const { send, ada, root, request, deliverMails } = await enter()
  await send()
  await request('PATCH', `/users/${ada.id}`, { token: root.token, json: { is_active: false } })
  expect((await deliverMails()).filter(({ kind }) => kind === 'recovery')).toEqual([])
})
