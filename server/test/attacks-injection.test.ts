import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { hostileStrings } from '../../tests/support/hostile-strings.ts'
import { accountCreatedMail } from '../administration/mails.ts'
import { runAdminCommand } from '../cli/admin.ts'
import { invitationMail } from '../accounts/mails.ts'
import type { Context } from '../platform/context.ts'
import { anyResource } from './any-resource.ts'
import { buildTestApp, statusAndBody, tokenIn } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { newFolder } from './new-folder.ts'
import { run } from './run-command.ts'

const hostile = hostileStrings(500)
const hostileNames = hostile.filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text))

test('the attack strings are distinct and contain each kind of attack', () => {
  expect(new Set(hostile).size).toBe(500)
  const parts = ['<script', 'onerror=', 'javascript:', '{{7*7}}', '\u202E', '\u001B', '\r\nBcc:', '=1+1', "' or "]
  expect(parts.filter((part) => !hostile.some((text) => text.includes(part)))).toEqual([])
})

const asJson = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }

describe('an attack string', () => {
  test.each(anyResource)(
    'is stored and returned unchanged in $table, as JSON that browsers do not sniff',
    async ({ table, fields, least, searched: [name] }) => {
      const { newUser } = await buildTestApp()
      const root = await newUser({ is_superuser: true })
      const long = fields.filter(({ maxLength }) => maxLength > 1_000)
      for (const text of hostile) {
        const texts = Object.fromEntries([...long.map((field) => [field.name, `${text}\n${text}`]), [name, text]])
        const row = await root.post(`/${table}/`, { ...least, ...texts })
        expect(row.statusCode).toBe(200)
        expect(row.json()).toMatchObject(texts)
        expect(row.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(row.headers['x-content-type-options']).toBe('nosniff')
      }
    },
  )

  test('is stored and returned unchanged as a name', async () => {
    const { ada } = await buildPeopledApp()
    for (const full_name of hostileNames) {
      const user = await ada.patch('/users/me', { full_name })
      expect([user.json(), user]).toMatchObject([{ full_name }, { statusCode: 200, headers: asJson }])
    }
  })

  test('is no full name if it has control characters or several lines, and one from before stays readable', async () => {
    const { anonymous, newUser, store } = await buildTestApp()
    const root = await newUser({ is_superuser: true, full_name: 'Ada\r\nBcc: eve@evil.example' })
    const invited = await root.post('/users/invite', { email: 'a@example.com' })
    const { user, link } = invited.json<{ user: { id: string }; link: string }>()
    const [email, password] = ['new@example.com', 'long enough']
    const msg = 'String should be one line without control characters'
    const lines = ['a\r\nBcc: b', 'a\tb', 'a\0b', 'a\u0085b', 'a\u009Bb', 'a\u007F', 'a\u2028b', 'a\u2029b']
    for (const full_name of lines) {
      const requests = [
        anonymous.post('/users/signup', { email, password, full_name }),
        anonymous.post('/accept-invitation', { token: tokenIn({ text: link }), password, full_name }),
        root.patch('/users/me', { full_name }),
        root.patch(`/users/${user.id}`, { full_name }),
        root.post('/users/', { email, password, full_name }),
        root.post('/users/invite', { email, full_name }),
      ]
      const refused = [422, { detail: [expect.objectContaining({ loc: ['body', 'full_name'], msg })] }]
      for (const answer of await Promise.all(requests)) expect(statusAndBody(answer)).toEqual(refused)
      expect((await root.post('/users/import', { rows: [{ email, full_name }] })).body).toContain(msg)
    }
    expect(await store.db.selectFrom('users').select('id').execute()).toHaveLength(2)
    expect((await root.get('/users/me')).json()).toMatchObject({ full_name: 'Ada\r\nBcc: eve@evil.example' })
  })

  test('is stored unchanged as a name in an invitation and in its acceptance', async () => {
    const { app, root } = await buildPeopledApp()
    for (const [index, full_name] of hostileNames.slice(0, 100).entries()) {
      const json = { email: `a${index}@example.com`, full_name }
      const response = await root.post('/users/invite', json)
      const { user, link } = response.json<{ user: { id: string; full_name: string }; link: string }>()
      expect([user.full_name, link]).toEqual([full_name, expect.stringMatching(/\?token=[\w-]{43}$/)])
      const other = hostileNames.at(-1 - index)
      const accepted = { token: tokenIn({ text: link }), password: 'long enough', full_name: other }
      expect((await app.anonymous.post('/accept-invitation', accepted)).statusCode).toBe(200)
      expect((await root.get(`/users/${user.id}`)).json()).toMatchObject({ full_name: other })
    }
  })

  test('is not accepted as an address, and never echoed', async () => {
    const { app, root } = await buildPeopledApp()
    const { tryLogIn, anonymous } = app
    for (const [index, text] of hostile.slice(0, 200).entries()) {
      const ip = `198.51.100.${index}`
      const json = { email: `${text}@example.com`, password: 'long enough' }
      const responses = [
        await anonymous.post('/users/signup', json, { ip }),
        await root.patch('/users/me', { email: text }),
        await tryLogIn(text, text, { ip }),
        await anonymous.post(`/password-recovery/${encodeURIComponent(text)}`, undefined, { ip }),
        await root.get(`/users/${encodeURIComponent(text)}`),
        await root.get(`/users/?skip=${encodeURIComponent(text)}`),
        await root.get(`/nothing/${encodeURIComponent(text)}`),
      ]
      expect(responses[1]?.statusCode).toBe(422)
      for (const { body, headers } of responses)
        expect(JSON.stringify(headers) + body).not.toMatch(/hacked|evil|onerror|7\*7/i)
    }
  })
})

describe('mails', () => {
  const publicUrl = () => 'https://steward.example.org'
  const context = { config: { product: 'Steward' }, publicUrl } as unknown as Context
  const tags = (html: string) => Array.from(html.matchAll(/<[^>]*>/g), ([tag]) => tag)

  test('have the same tags, links and lines for every name', () => {
    for (const template of [accountCreatedMail, invitationMail]) {
      const plain = template(context, { full_name: 'Ada', is_active: true }, 'token')
      for (const full_name of hostile) {
        const mail = template(context, { full_name, is_active: true }, 'token')
        expect(tags(mail.html)).toEqual(tags(plain.html))
        expect(mail.subject).toBe(plain.subject)
        expect(mail.text.split('\n').slice(1)).toEqual(plain.text.split('\n').slice(1))
        expect(mail.text).not.toMatch(/[^\n\P{Cc}]|hacked|evil|Bcc/u)
      }
    }
  })

  test('have only our headers and one recipient', async () => {
    const folder = newFolder()
    const settings = { DATA_DIR: folder, PUBLIC_URL: 'https://steward.example.org' }
    const { anonymous, newUser, mailer, clock } = await buildTestApp(settings, { realMail: true })
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example;proto=gopher',
      'x-original-url': '//evil.example',
      referer: 'https://evil.example/reset-password?token=x',
    }
    const eve = 'eve@evil.example'
    const names = [`Ada\r\nBcc: ${eve}`, 'Ada\n\nClick https://evil.example', `<${eve}>`, '=?utf-8?q?x?=']
    for (const [index, full_name] of names.entries()) {
      const { email } = await newUser({ email: `ada${index}@example.com`, full_name })
      for (const spelling of [email, `${email}\r\nBcc: ${eve}`, `${email},${eve}`, `<${email}> ${eve}`]) {
        const url = `/password-recovery/${encodeURIComponent(spelling)}`
        expect((await anonymous.post(url, undefined, { headers: forged })).statusCode).toBe(200)
      }
      clock.advance(60_000)
    }
    await mailer.deliverDue()
    const files = await readdir(join(folder, 'outbox'))
    expect(files).toHaveLength(names.length)
    for (const file of files) {
      const raw = await readFile(join(folder, 'outbox', file), 'utf8')
      expect(raw).not.toMatch(/evil\.|eve@|^bcc:/im)
      const mail = await PostalMime.parse(raw)
      const ours = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']
      expect(mail.headers.map(({ key }) => key).toSorted()).toEqual(ours)
      expect(mail.to).toMatchObject([{ address: expect.stringMatching(/^ada\d@example\.com$/) }])
      expect(mail.text).toMatch(/^https:\/\/steward\.example\.org\/reset-password\?token=[\w-]{43}$/m)
    }
  })
})

describe('the log', () => {
  test('has one JSON line per request, without control characters', async () => {
    const { anonymous, log } = await buildTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const before = log.lines().length
    for (const text of hostile) {
      const header = Buffer.from(text.replaceAll(/\p{Cc}/gu, '\u009B')).toString('latin1')
      const url = `/password-recovery-html-content/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`
      const headers = { 'user-agent': header, 'x-forwarded-for': header, 'x-request-id': header, 'request-id': header }
      await anonymous.post(url, undefined, { headers })
    }
    expect(log.lines().length - before).toBe(hostile.length)
    expect(log.text().match(/[^\n\P{Cc}]|\\u00|hacked|evil/gu)).toBeNull()
    for (const line of log.lines().slice(before)) expect(line).toMatchObject({ status: 401, ip: 'unknown' })
  })

  test('names the account only by its id', async () => {
    const { newUser, log } = await buildTestApp()
    const eve = await newUser()
    await eve.get('/users/')
    expect(log.lines().at(-1)).toMatchObject({ status: 403, user: eve.id, route: '/api/v1/users/' })
    expect(log.text()).not.toContain(eve.email)
  })
})

test('the audit command prints no text from clients', async () => {
  const { tryLogIn, context } = await buildTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  for (const text of ['\u009B2J', '\u0080\u0090', '<b>\u00A0'])
    await tryLogIn('a@b.cd', 'x', { headers: { 'x-forwarded-for': text } })
  const { said } = await run((terminal) => runAdminCommand(['audit'], context, terminal))
  expect(said).toHaveLength(3)
  for (const line of said) expect(line).toMatch(/^[\x20-\x7E]+ from unknown$/)
})
