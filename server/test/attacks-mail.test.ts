import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTransport } from '../platform/mail/transports.ts'
import { buildTestApp, newPassword, type Person, type TestApp, tokenIn } from './build-test-app.ts'
import { startMailServer as startWholeMailServer } from './mail-server.ts'
import { buildServers } from './two-servers.ts'

const mail = { to: 'ada@example.com', kind: 'test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** A mail server that sends the given replies, and never closes a connection. */
async function startMailServer(respond: (client: Socket, line: string) => void, sendMs?: number) {
  const reached = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const server = createServer((client) => {
    client.on('error', () => undefined)
    client.on('close', () => closed.resolve())
    client.on('data', (data) => {
      respond(client, data.toString())
      reached.resolve()
    })
    client.write('220 Welcome\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const [smtpUrl, from] = [`smtp://127.0.0.1:${port}`, { name: '', address: 'steward@example.com' }]
  const transport = createTransport({ smtpUrl, from, outbox: '', ...(sendMs && { sendMs }) })
  return { reached: reached.promise, closed: closed.promise, transport }
}

/** Sends one character after the other, and never ends the line. */
function sendSlowly(client: Socket): void {
  const timer = setInterval(() => client.write('2'), 20)
  client.on('close', () => clearInterval(timer))
}

const replies: Record<string, string | undefined> = { EHLO: '250 OK', MAIL: '250 OK', RCPT: '250 OK', DATA: '354 Go' }

function reply(client: Socket, line: string): void {
  const text = replies[line.slice(0, 4)]
  if (text === undefined) sendSlowly(client)
  else client.write(`${text}\r\n`)
}

describe('a mail server that never ends its reply', () => {
  test.each([
    ['to the greeting', sendSlowly],
    ['to a mail', reply],
  ])('%s: the connection is closed at the time limit', async (_what, respond) => {
    const { closed, transport } = await startMailServer(respond, 300)
    await expect(transport.send(mail)).rejects.toThrow(Error)
    await closed
  })

  test('does not delay the stop', async () => {
    const { reached, closed, transport } = await startMailServer(reply)
    const sent = Promise.allSettled([transport.send(mail)])
    await reached
    transport.close()
    await closed
    expect(await sent).toMatchObject([{ status: 'rejected' }])
  })
})

describe('the outbox', () => {
  const second = 1000
  const away = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  async function recover({ newUser, anonymous }: TestApp): Promise<Person> {
    const person = await newUser()
    await anonymous.post(`/password-recovery/${person.email}`)
    return person
  }

  const reset = async (app: TestApp, token: string) => {
    const json = { token, new_password: newPassword }
    return (await app.anonymous.post('/reset-password/', json)).statusCode
  }

  /** Makes the database fail after the mail was sent. */
  function failAfterSending({ store }: TestApp): void {
    const transaction = store.transaction.bind(store)
    let calls = 0
    vi.spyOn(store, 'transaction').mockImplementation((work) =>
      (calls += 1) === 1 ? transaction(work) : Promise.reject(away),
    )
  }

  test('leaves mails of kinds that another version knows, and delivers the others', async () => {
    const app = await buildTestApp()
    const { email } = await recover(app)
    const { db } = app.store
    await db.updateTable('outbox').set({ kind: 'a-newer-kind' }).execute()
    app.clock.advance(60 * second)
    await app.anonymous.post(`/password-recovery/${email}`)
    expect((await app.deliverMails()).map(({ kind }) => kind)).toEqual(['recovery'])
    expect(await db.selectFrom('outbox').select(['kind', 'attempts']).execute()).toEqual([
      { kind: 'a-newer-kind', attempts: 0 },
    ])
  })

  test('sends no mail again that was sent while the database failed', async () => {
    const app = await buildTestApp()
    await recover(app)
    failAfterSending(app)
    const [sent, ...others] = await app.deliverMails()
    expect(others).toEqual([])
    vi.restoreAllMocks()
    app.clock.advance(5 * second)
    expect(await app.deliverMails()).toEqual([])
    expect(await app.store.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await reset(app, tokenIn(sent))).toBe(200)
  })

  test('keeps the link of a mail that another server sends again', async () => {
    const [one, two] = await buildServers()
    await recover(one)
    failAfterSending(one)
    const first = await one.deliverMails()
    vi.restoreAllMocks()
    one.clock.advance(5 * second)
    const sent = [...first, ...(await two.deliverMails())]
    expect(sent.map(({ kind }) => kind)).toEqual(['recovery', 'recovery'])
    expect(await reset(two, tokenIn(sent[0]))).toBe(200)
    // A new password invalidates all other links.
    expect(await reset(two, tokenIn(sent[1]))).toBe(400)
  })

  test('marks the account of a mail that is given up after an hour', async () => {
    const { url } = await startWholeMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('later'), { responseCode: 451 })),
    })
    const app = await buildTestApp({ SMTP_URL: url }, { realMail: true })
    app.log.expectErrors()
    const { id } = await recover(app)
    const root = await app.newUser({ is_superuser: true })
    const refusedAt = async () =>
      (await root.get(`/users/${id}`)).json<{ mail_refused_at: string | null }>().mail_refused_at
    await app.mailer.deliverDue()
    expect(await refusedAt()).toBeNull()
    app.clock.advance(3600 * second)
    await app.mailer.deliverDue()
    expect(await refusedAt()).toBe(new Date(app.clock.now()).toISOString())
  })
})
