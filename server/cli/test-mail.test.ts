import { once } from 'node:events'
import { createServer } from 'node:net'
import PostalMime from 'postal-mime'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { buildTestApp } from '../test/build-test-app.ts'
import { startMailServer } from '../test/mail-server.ts'
import { sendTestMail } from './test-mail.ts'
import { newFolder } from '../test/new-folder.ts'
import { run as runCommand } from '../test/run-command.ts'

const refuse = (responseCode: number) => Object.assign(new Error('secret text'), { responseCode })
const withoutTls = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }

async function run(args: string[], settings: Record<string, string>) {
  const { code, said } = await runCommand((terminal) => sendTestMail(args, readConfig(settings), terminal))
  return { code, said: said.join('\n') }
}

const withLogIn = (url: string, more = '') => `${url.replace('://', '://steward:secret-password@')}${more}`

test('a test mail arrives', async () => {
  const { url, received } = await startMailServer()
  const accepted = { code: 0, said: 'The mail server accepted the mail to ada@example.com' }
  expect(await run(['ada@example.com'], { SMTP_URL: url, MAIL_FROM: 'Butler <butler@example.org>' })).toEqual(accepted)
  const mail = await PostalMime.parse(received[0]?.raw ?? '')
  expect(mail).toMatchObject({ subject: 'Test mail of Steward', from: { address: 'butler@example.org' } })
})

test('without a mail server, the command names the file', async () => {
  const dataDir = newFolder()
  const { code, said } = await run(['ada@example.com'], { DATA_DIR: dataDir })
  expect([code, said]).toEqual([0, expect.stringMatching(/^SMTP_URL is not set. The mail is \/.*-test-\w+\.eml$/)])
})

test.each([
  [[], 2, '! Usage: npm run admin -- test-mail EMAIL'],
  [['ada@example.com', 'x'], 2, '! Usage: npm run admin -- test-mail EMAIL'],
  [['ada'], 1, '! That is not an email address'],
])('the arguments %j are refused', async (args, code, message) => {
  const result = await run(args, {})
  expect([result.code, result.said.split('\n')[0]]).toEqual([code, message])
})

describe('an error of the mail server is said in one line', () => {
  async function errorOf(smtpUrl: string) {
    const { code, said } = await run(['ada@example.com'], { SMTP_URL: smtpUrl })
    expect(code).toBe(1)
    expect(said).not.toMatch(/\n|secret|ada@/)
    return said
  }

  test('a certificate', async () => {
    const certificate =
      /^! The certificate of the mail server is not accepted \([A-Z_]+\)\. Use the host name .* NODE_EXTRA_CA_CERTS/
    const direct = await startMailServer({ secure: true })
    expect(await errorOf(`smtps://127.0.0.1:${direct.port}`)).toMatch(certificate)
    const upgraded = await startMailServer({ disabledCommands: [] })
    expect(await errorOf(upgraded.url)).toMatch(certificate)
    expect(direct.received.concat(upgraded.received)).toEqual([])
  })

  test('a port', async () => {
    const { port } = await startMailServer()
    expect(await errorOf(`smtps://127.0.0.1:${port}`)).toMatch(/^! There is no TLS on this port of the mail server/)
    const tls = createServer()
    tls.listen(0, '127.0.0.1')
    await once(tls, 'listening')
    const { port: silent } = tls.address() as { port: number }
    onTestFinished(() => void tls.close())
    expect(await errorOf(`smtp://127.0.0.1:${silent}?greetingTimeout=50`)).toMatch(/does not greet.* use smtps:/)
    expect(await errorOf('smtp://127.0.0.1:1')).toMatch(/^! The mail server cannot be reached \(ECONNREFUSED\)/)
  })

  test('a log-in', async () => {
    const { url } = await startMailServer({ ...withoutTls, onAuth: (_auth, _session, done) => done(refuse(535)) })
    const message = 'The mail server does not accept the log-in (535). Check user and password in SMTP_URL'
    expect(await errorOf(withLogIn(url, '?requireTLS=false'))).toBe(`! ${message}`)
    const { newUser, anonymous, mailer, log } = await buildTestApp(
      { SMTP_URL: withLogIn(url, '?requireTLS=false') },
      { realMail: true },
    )
    await anonymous.post(`/password-recovery/${(await newUser()).email}`)
    await mailer.deliverDue()
    expect(log.lines()).toContainEqual(expect.objectContaining({ msg: 'mail not sent', why: message }))
  })

  test.each([
    [
      'the sender',
      { onMailFrom: (_a, _s, done) => done(refuse(550)) },
      /refuses the sender \(550\)\. Check MAIL_FROM$/,
    ],
    ['the recipient', { onRcptTo: (_a, _s, done) => done(refuse(550)) }, /refuses the recipient \(550\)$/],
  ] satisfies [string, Partial<SMTPServerOptions>, RegExp][])('%s', async (_what, options, message) => {
    const { url } = await startMailServer(options)
    expect(await errorOf(url)).toMatch(message)
  })
})

test('a password is not sent without TLS unless SMTP_URL asks for it', async () => {
  const passwords: (string | null | undefined)[] = []
  const { url, received } = await startMailServer({
    ...withoutTls,
    onAuth({ password }, _session, done) {
      passwords.push(password)
      done(null, { user: 'steward' })
    },
  })
  const refused = await run(['ada@example.com'], { SMTP_URL: withLogIn(url) })
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(/^! The mail server offers no TLS \(\d+\), without which the password is not sent\. /)
  expect([passwords, received]).toEqual([[], []])

  const allowed = await run(['ada@example.com'], { SMTP_URL: withLogIn(url, '?requireTLS=false') })
  expect([allowed.code, passwords, received.length]).toEqual([0, ['secret-password'], 1])
})
