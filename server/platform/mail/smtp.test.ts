import { once } from 'node:events'
import { createServer } from 'node:net'
import PostalMime from 'postal-mime'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { buildTestApp, newPassword, tokenIn } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'
import { startMailServer } from '../../test/mail-server.ts'

const second = 1000

const refuse = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** A server that sends mails to a mail server, and a mail that waits. */
async function recoverOver(url: string, settings: Record<string, string> = {}) {
  const app = await buildTestApp({ SMTP_URL: url, ...settings }, { realMail: true })
  const { email } = await app.newUser()
  await app.anonymous.post(`/password-recovery/${email}`)
  return { ...app, email }
}

describe('over SMTP', () => {
  test('a mail arrives as text and HTML, from the configured sender', async () => {
    const { received, url } = await startMailServer()
    const settings = {
      SMTP_URL: url,
      MAIL_FROM: 'Steward <steward@example.org>',
      PUBLIC_URL: 'https://steward.example.org',
    }
    const { anonymous, newUser, mailer } = await buildTestApp(settings, { realMail: true })
    await newUser({ email: 'Ada@example.com', full_name: 'Ada Ünïcode' })
    await anonymous.post('/password-recovery/ada@example.com')
    await mailer.deliverDue()

    expect(received).toHaveLength(1)
    const [{ to, from, ehlo, raw } = { to: [], from: '', ehlo: '', raw: '' }] = received
    expect([to, from, ehlo]).toEqual([['Ada@example.com'], 'steward@example.org', 'steward.example.org'])
    const mail = await PostalMime.parse(raw)
    expect(mail.subject).toBe('Reset your Steward password')
    expect(mail.from).toMatchObject({ name: 'Steward', address: 'steward@example.org' })
    expect(mail.to).toMatchObject([{ address: 'Ada@example.com' }])
    const token = tokenIn({ text: mail.text ?? '' })
    expect(mail.html).toContain(`href="https://steward.example.org/reset-password?token=${token}"`)
    expect((await anonymous.post('/reset-password/', { token, new_password: newPassword })).statusCode).toBe(200)
  })

  const odd = 'Steward: Ops; (old), "new" & Söhne, a@b'

  test.each([
    ['the name of the product', { VITE_APP_NAME: odd, PUBLIC_URL: 'https://steward.example.org' }, odd],
    ['a name in ASCII', { VITE_APP_NAME: 'Ops; (old): "new", a@b', PUBLIC_URL: 'https://steward.example.org' }],
    ['MAIL_FROM', { MAIL_FROM: `${odd} <no-reply@steward.example.org>` }, odd],
    ['MAIL_FROM in quotes', { MAIL_FROM: '"Ops; (old): \\"new\\", a@b" <no-reply@steward.example.org>' }],
  ])('the sender is one mailbox with its whole name: %s', async (_what, settings, name = 'Ops; (old): "new", a@b') => {
    const { received, url } = await startMailServer()
    const { mailer, email } = await recoverOver(url, settings)
    await mailer.deliverDue()
    expect(received).toMatchObject([{ from: 'no-reply@steward.example.org', to: [email] }])
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(mail.from).toEqual({ name, address: 'no-reply@steward.example.org' })
    expect(mail.headers.filter(({ key }) => key === 'from')).toHaveLength(1)
  })

  test('a name in SMTP_URL greets the mail server in place of the public host', async () => {
    const { received, url } = await startMailServer()
    const settings = { PUBLIC_URL: 'https://steward.example.org' }
    const { mailer } = await recoverOver(`${url}/?name=relay.example.org`, settings)
    await mailer.deliverDue()
    expect(received).toMatchObject([{ ehlo: 'relay.example.org' }])
  })

  test('a running worker sends mails automatically', async () => {
    const { received, url } = await startMailServer()
    const { anonymous, worker, ada } = await buildTestAppWith({ ada: {} }, { SMTP_URL: url }, { realMail: true })
    worker.start()
    await anonymous.post(`/password-recovery/${ada.email}`)
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
  })

  test('delivery to an unavailable server is retried after 5 seconds, then less often, for an hour', async () => {
    const { received, url, server } = await startMailServer()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    const { mailer, clock, store, log, email } = await recoverOver(url)
    log.expectErrors()
    const waits: number[] = []
    for (;;) {
      await mailer.deliverDue()
      const row = await store.db.selectFrom('outbox').select('due_at').executeTakeFirst()
      if (!row) break
      waits.push((row.due_at - clock.now()) / second)
      clock.advance(row.due_at - clock.now())
    }
    expect(waits.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
    const total = waits.reduce((sum, wait) => sum + wait, 0)
    expect(total).toBeGreaterThanOrEqual(3600)
    expect(total).toBeLessThanOrEqual(3900)
    expect(received).toEqual([])
    expect(log.lines().findLast(({ level }) => level >= 50)).toMatchObject({ msg: 'mail given up', kind: 'recovery' })
    expect(log.text()).not.toContain(email)
  })

  let isAway = true
  const later = (code: number) => (isAway ? refuse(code, 'later') : null)
  test.each<[string, number, ...Parameters<typeof startMailServer>]>([
    ['greets with 421', 1, { onConnect: (_session, done) => done(later(421)) }],
    ['answers 451 to the sender', 1, { onMailFrom: (_a, _s, done) => done(later(451)) }],
    ['answers 451 to the recipient', 1, { onRcptTo: (_a, _s, done) => done(later(451)) }],
    ['answers 452 to the content', 1, {}, () => later(452) ?? undefined],
    ['takes it and disconnects', 2, {}, () => (isAway ? 'disconnect' : undefined)],
  ])('a mail server that %s gets the mail again, %i in all, and the last link works', async (_what, times, ...how) => {
    isAway = true
    const { received, url } = await startMailServer(...how)
    const { anonymous, mailer, clock, store } = await recoverOver(url)
    await mailer.deliverDue()
    expect(received).toHaveLength(times - 1)
    isAway = false
    clock.advance(5 * second)
    await mailer.deliverDue()
    expect(received).toHaveLength(times)
    expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([])
    const { text = '' } = await PostalMime.parse(received.at(-1)?.raw ?? '')
    const json = { token: tokenIn({ text }), new_password: newPassword }
    expect((await anonymous.post('/reset-password/', json)).statusCode).toBe(200)
  })

  const rejections: Record<string, Partial<SMTPServerOptions>> = {
    'the sender': { onMailFrom: (_a, _s, done) => done(refuse(550, 'no')) },
    'the recipient': {
      onRcptTo: ({ address }, _s, done) => done(address.startsWith('bad') ? refuse(550, 'no') : null),
    },
    'the content': {
      onData(stream, session, done) {
        stream.resume()
        const bad = session.envelope.rcptTo.some(({ address }) => address.startsWith('bad'))
        stream.on('end', () => done(bad ? refuse(554, 'no') : null))
      },
    },
  }
  test.each(Object.entries(rejections))('a permanent rejection of %s drops only that mail', async (_what, options) => {
    const { url } = await startMailServer(options)
    const { anonymous, newUser, mailer, store, log } = await buildTestApp({ SMTP_URL: url }, { realMail: true })
    log.expectErrors()
    await newUser({ email: 'bad@example.com' })
    await newUser({ email: 'good@example.com' })
    await anonymous.post('/password-recovery/bad@example.com')
    await anonymous.post('/password-recovery/good@example.com')
    await mailer.deliverDue()
    expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(log.unexpected()).toEqual([])
    expect(log.text()).toContain('mail refused, given up')
    expect(log.text()).not.toContain('bad@example.com')
  })

  test('a failed authentication is not permanent', async () => {
    const { url } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refuse(535, 'no')),
    })
    const { mailer, store, log } = await recoverOver(url.replace('smtp://', 'smtp://steward:secret-password@'))
    await mailer.deliverDue()
    expect(await store.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])
    expect(log.text()).not.toContain('secret-password')
  })

  test('requests do not wait for an unresponsive server', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const connected = once(silent, 'connection')
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}` }
    const { anonymous, worker, ada } = await buildTestAppWith({ ada: {} }, settings, { realMail: true })
    worker.start()
    expect((await anonymous.post(`/password-recovery/${ada.email}`)).statusCode).toBe(200)
    const [socket] = await connected
    expect((await anonymous.post('/password-recovery/another@example.com')).statusCode).toBe(200)
    socket.destroy()
    silent.close()
  })
})
