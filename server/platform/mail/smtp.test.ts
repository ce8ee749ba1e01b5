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
    const { anonymous, newUser, mailer } = await buildTestApp({ SMTP_URL: url, ...settings }, { realMail: true })
    const { email } = await newUser()
    await anonymous.post(`/password-recovery/${email}`)
    await mailer.deliverDue()
    expect(received).toMatchObject([{ from: 'no-reply@steward.example.org', to: [email] }])
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(mail.from).toEqual({ name, address: 'no-reply@steward.example.org' })
    expect(mail.headers.filter(({ key }) => key === 'from')).toHaveLength(1)
  })

  test('a name in SMTP_URL greets the mail server in place of the public host', async () => {
    const { received, url } = await startMailServer()
    const settings = { SMTP_URL: `${url}/?name=relay.example.org`, PUBLIC_URL: 'https://steward.example.org' }
    const { anonymous, mailer, ada } = await buildTestAppWith({ ada: {} }, settings, { realMail: true })
    await anonymous.post(`/password-recovery/${ada.email}`)
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
    const { anonymous, newUser, mailer, clock, store, log } = await buildTestApp({ SMTP_URL: url }, { realMail: true })
    log.expectErrors()
    const { email } = await newUser()
    await anonymous.post(`/password-recovery/${email}`)
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

  test.each<[string, number, (isAway: () => boolean) => Parameters<typeof startMailServer>]>([
    [
      'greets with 421',
      1,
      (isAway) => [{ onConnect: (_session, done) => done(isAway() ? refuse(421, 'later') : null) }],
    ],
    [
      'answers 451 to the sender',
      1,
      (isAway) => [{ onMailFrom: (_a, _s, done) => done(isAway() ? refuse(451, 'later') : null) }],
    ],
    [
      'answers 451 to the recipient',
      1,
      (isAway) => [{ onRcptTo: (_a, _s, done) => done(isAway() ? refuse(451, 'later') : null) }],
    ],
    ['answers 452 to the content', 1, (isAway) => [{}, () => (isAway() ? refuse(452, 'later') : undefined)]],
    ['takes it and disconnects', 2, (isAway) => [{}, () => (isAway() ? 'disconnect' : undefined)]],
  ])('a mail server that %s gets the mail again, %i in all, and the last link works', async (_what, times, failing) => {
    let isAway = true
    const { received, url } = await startMailServer(...failing(() => isAway))
    const { anonymous, newUser, mailer, clock, store } = await buildTestApp({ SMTP_URL: url }, { realMail: true })
    const { email } = await newUser()
    await anonymous.post(`/password-recovery/${email}`)
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

  test.each([
    ['the sender', { onMailFrom: (_a, _s, done) => done(refuse(550, 'no')) }],
    [
      'the recipient',
      { onRcptTo: ({ address }, _s, done) => done(address.startsWith('bad') ? refuse(550, 'no') : null) },
    ],
    [
      'the content',
      {
        onData(stream, session, done) {
          stream.resume()
          const bad = session.envelope.rcptTo.some(({ address }) => address.startsWith('bad'))
          stream.on('end', () => done(bad ? refuse(554, 'no') : null))
        },
      },
    ],
  ] satisfies [string, Partial<SMTPServerOptions>][])(
    'a permanent rejection of %s drops only that mail',
    async (_what, options) => {
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
    },
  )

  test('a failed authentication is not permanent', async () => {
    const { url } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refuse(535, 'no')),
    })
    const smtpUrl = url.replace('smtp://', 'smtp://steward:secret-password@')
    const { anonymous, newUser, mailer, store, log } = await buildTestApp({ SMTP_URL: smtpUrl }, { realMail: true })
    const { email } = await newUser()
    await anonymous.post(`/password-recovery/${email}`)
    await mailer.deliverDue()
    expect(await store.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])
    expect(log.text()).not.toContain('secret-password')
  })

  test('requests do not wait for an unresponsive server', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const connected = once(silent, 'connection')
    const { anonymous, newUser, worker } = await buildTestApp(
      { SMTP_URL: `smtp://127.0.0.1:${port}` },
      { realMail: true },
    )
    const { email } = await newUser()
    worker.start()
    expect((await anonymous.post(`/password-recovery/${email}`)).statusCode).toBe(200)
    const [socket] = await connected
    expect((await anonymous.post('/password-recovery/another@example.com')).statusCode).toBe(200)
    socket.destroy()
    silent.close()
  })
})
