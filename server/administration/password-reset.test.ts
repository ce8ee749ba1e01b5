import { describe, expect, test } from 'vitest'
import { buildTestApp, newPassword, statusAndBody, tokenIn } from '../test/build-test-app.ts'
import { auditOf } from '../test/audit-entries.ts'

const minute = 60_000
const nobody = '01890000-0000-7000-8000-000000000000'

type Entered = Awaited<ReturnType<typeof enter>>

async function enter(settings: Record<string, string> = { SMTP_URL: 'smtp://localhost:1' }) {
  const app = await buildTestApp(settings)
  const root = await app.newUser({ is_superuser: true, email: 'root@example.com' })
  const ada = await app.newUser({ email: 'Ada@Example.com' })
  const send = async (id = ada.id, token = root.token) => app.as(token).post(`/users/${id}/password-reset`)
  const entries = async () => auditOf(app, 'reset-send')
  return { ...app, root, ada, send, entries }
}

test('mails the owner a link to choose a password, and changes nothing until then', async () => {
  const { root, ada, send, entries, anonymous, logIn, deliverMails } = await enter()
  const response = await send()
  expect(statusAndBody(response)).toEqual([200, { message: 'Password reset sent', link: null }])
  const [mail, ...more] = await deliverMails()
  expect(more).toEqual([])
  expect((await anonymous.get('/instance')).json()).toMatchObject({ mail: true })
  expect(mail).toMatchObject({ to: 'Ada@Example.com', kind: 'recovery' })
  expect(response.body).not.toContain(tokenIn(mail))
  expect((await ada.get('/users/me')).statusCode).toBe(200)
  expect(await logIn(ada.email, ada.password)).toBeTypeOf('string')
  expect(await entries()).toMatchObject([{ result: 'done', actor_id: root.id, subject_id: ada.id }])

  const json = { token: tokenIn(mail), new_password: newPassword }
  expect((await anonymous.post('/reset-password/', json)).statusCode).toBe(200)
  expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
})

describe('without a mail server', () => {
  /** The token of the link in the answer. */
  const handedOver = (answer: { json: <T>() => T }) => tokenIn({ text: answer.json<{ link: string }>().link })
  const use = async ({ anonymous }: Entered, token: string) =>
    statusAndBody(await anonymous.post('/reset-password/', { token, new_password: newPassword }))
  const done = [200, { message: 'Password updated successfully' }]
  const invalid = [400, { detail: 'Invalid token' }]

  test.each(['the link', 'the mail'])(
    'the answer has a link, and the mail is a file: %s is used first',
    async (first) => {
      const app = await enter({})
      const { send, entries, deliverMails, anonymous, logIn, root, ada } = app
      expect((await anonymous.get('/instance')).json()).toMatchObject({ mail: false })
      const answer = await send()
      expect(answer.json()).toEqual({
        message: 'There is no mail server',
        link: expect.stringMatching(/^http:\/\/localhost:8000\/reset-password\?token=[\w-]{43}$/),
      })
      const mails = await deliverMails()
      expect(mails).toMatchObject([{ to: 'Ada@Example.com' }])
      expect(await entries()).toMatchObject([{ result: 'done', actor_id: root.id, subject_id: ada.id }])
      const tokens = [handedOver(answer), tokenIn(mails[0])]
      if (first === 'the mail') tokens.reverse()
      expect(await use(app, tokens[0] ?? '')).toEqual(done)
      expect(await use(app, tokens[1] ?? '')).toEqual(invalid)
      expect(await use(app, tokens[0] ?? '')).toEqual(invalid)
      expect(await logIn(ada.email, newPassword)).toBeTypeOf('string')
      expect((await ada.get('/users/me')).statusCode).toBe(401)
    },
  )

  test('the link needs a fresh session, as it sets the password', async () => {
    const { send, clock, deliverMails, entries, logIn, root } = await enter({})
    clock.advance(11 * minute)
    expect(statusAndBody(await send())).toEqual([423, { detail: 'Please confirm that it is you' }])
    expect(statusAndBody(await send(nobody))).toEqual([423, { detail: 'Please confirm that it is you' }])
    expect([await deliverMails(), await entries()]).toEqual([[], []])
    expect((await send(undefined, await logIn(root.email, root.password))).statusCode).toBe(200)
  })

  test('the link confirms no address, and is unreadable in the database and the log', async () => {
    const app = await enter({})
    const { send, store, ada, log, root } = app
    await store.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', ada.id).execute()
    const token = handedOver(await send())
    const kept = await store.db.selectFrom('challenges').selectAll().where('user_id', '=', ada.id).execute()
    expect(kept).toMatchObject([{ purpose: 'password-reset-link' }])
    expect(JSON.stringify([kept, await auditOf({ store })])).not.toContain(token)
    expect(log.text()).not.toContain(token)
    expect(await use(app, token)).toEqual(done)
    expect((await root.get(`/users/${ada.id}`)).json()).toMatchObject({ email_confirmed_at: null })
  })

  test.each([
    ['a newer one', async ({ send }) => send()],
    ['another address', async ({ change }) => change({ email: 'other@example.com' })],
    ['a new password', async ({ change }) => change({ password: 'another password' })],
    ['a deactivation', async ({ change }) => [await change({ is_active: false }), await change({ is_active: true })]],
    ['an hour', async ({ clock }) => clock.advance(60 * minute)],
  ] satisfies [string, (app: Entered & { change: (json: object) => Promise<unknown> }) => Promise<unknown>][])(
    'the link ends with %s',
    async (_what, end) => {
      const app = await enter({})
      const token = handedOver(await app.send())
      const change = async (json: object) => {
        expect((await app.root.patch(`/users/${app.ada.id}`, json)).statusCode).toBe(200)
      }
      await end({ ...app, change })
      expect(await use(app, token)).toEqual(invalid)
    },
  )
})

test('is refused for accounts that cannot use it, and sends nothing', async () => {
  const { send, root, newUser, deliverMails } = await enter()
  const idle = await newUser({ is_active: false })
  const invited = (await root.post('/users/invite', { email: 'invited@example.com' })).json<{ user: { id: string } }>()
  await deliverMails()
  expect(statusAndBody(await send(idle.id))).toEqual([409, { detail: 'This user is inactive' }])
  expect(statusAndBody(await send(invited.user.id))).toEqual([409, { detail: 'This user has not set a password yet' }])
  expect(await deliverMails()).toEqual([])
})

test('five an hour go to an address, by all superusers together, whatever strangers asked for', async () => {
  const { send, ada, newUser, anonymous, clock, deliverMails } = await enter()
  const second = await newUser({ is_superuser: true })
  for (let i = 0; i < 12; i += 1) {
    clock.advance(minute)
    await anonymous.post(`/password-recovery/${ada.email}`, undefined, { ip: `198.51.100.${i}` })
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
  const { send, ada, root, deliverMails } = await enter()
  await send()
  await root.patch(`/users/${ada.id}`, { is_active: false })
  expect((await deliverMails()).filter(({ kind }) => kind === 'recovery')).toEqual([])
})
