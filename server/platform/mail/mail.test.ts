import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { recoveryMail } from '../../accounts/mails.ts'
import { accountCreatedMail } from '../../administration/mails.ts'
import { mails } from '../../mails.ts'
import { noticeMail } from '../../notices/mails.ts'
import type { Context } from '../context.ts'
import { buildTestApp, tokenIn } from '../../test/build-test-app.ts'
import { buildTestAppWith } from '../../test/people.ts'
import { newFolder } from '../../test/new-folder.ts'

const minute = 60_000

describe('the outbox', () => {
  test('a mail claimed by a crashed server is sent later', async () => {
    const { anonymous, clock, store, deliverMails, ada } = await buildTestAppWith({ ada: {} })
    await anonymous.post(`/password-recovery/${ada.email}`)
    const { claimMail } = await import('./outbox.ts')
    const claimed = await claimMail(store.db, mails, clock.now(), clock.now() + 2 * minute)
    expect(claimed).toMatchObject({ kind: 'recovery', attempts: 1 })
    expect(await deliverMails()).toEqual([])
    clock.advance(2 * minute)
    expect(await deliverMails()).toHaveLength(1)
  })

  test('a mail belongs to its last claim', async () => {
    const { anonymous, clock, store, ada } = await buildTestAppWith({ ada: {} })
    await anonymous.post(`/password-recovery/${ada.email}`)
    const { claimMail, deleteMail, postponeMail } = await import('./outbox.ts')
    const first = await claimMail(store.db, mails, clock.now(), clock.now() + minute)
    clock.advance(minute)
    const later = await claimMail(store.db, mails, clock.now(), clock.now() + minute)
    if (!first || !later) throw new Error('Both claims should succeed')
    await deleteMail(store.db, first)
    await postponeMail(store.db, first, 0)
    expect(await store.db.selectFrom('outbox').select('due_at').execute()).toEqual([{ due_at: later.due_at }])
    await deleteMail(store.db, later)
    expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('notices wait for links, and links for the same password keep their order', async () => {
    const { anonymous, clock, store, root } = await buildTestAppWith({ root: { is_superuser: true } })
    const json = { email: 'ada@example.com', password: 'long enough' }
    expect((await anonymous.post('/password-recovery/root@example.com')).statusCode).toBe(200)
    await store.db.updateTable('outbox').set({ kind: 'password-changed' }).execute()
    clock.advance(1)
    expect((await root.post('/users/', json)).statusCode).toBe(200)
    clock.advance(1)
    await anonymous.post('/password-recovery/ada@example.com')
    const { claimMail } = await import('./outbox.ts')
    const kinds: unknown[] = []
    for (let mail; (mail = await claimMail(store.db, mails, clock.now(), clock.now() + minute));) kinds.push(mail.kind)
    expect(kinds).toEqual(['account-created', 'recovery', 'password-changed'])
  })

  test('a failed operation queues no mail', async () => {
    const { store, root } = await buildTestAppWith({ root: { is_superuser: true } })
    expect((await root.post('/users/', { email: root.email, password: 'long enough' })).statusCode).toBe(409)
    expect(await store.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })
})

test('without a mail server each mail is a file in the data folder that the log names', async () => {
  const folder = newFolder()
  const { anonymous, newUser, mailer, log } = await buildTestApp({ DATA_DIR: folder }, { realMail: true })
  const { email } = await newUser()
  await anonymous.post(`/password-recovery/${email}`)
  await mailer.deliverDue()
  const files = await readdir(join(folder, 'outbox'))
  expect(files).toEqual([expect.stringMatching(/^[\w.-]+-recovery-[\da-f]{8}\.eml$/)])
  const file = join(folder, 'outbox', files[0] ?? '')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const content = await readFile(file, 'utf8')
  expect(content).toMatch(/^http:\/\/localhost:8000\/reset-password\?token=[\w-]{43}$/m)
  const { text = '', to, from } = await PostalMime.parse(content)
  expect(to).toMatchObject([{ address: email }])
  expect(from?.address).toBe('no-reply@localhost')
  expect(log.text()).toContain(files[0])
  expect(log.text()).not.toContain(tokenIn({ text }))
  expect(log.text()).not.toContain(email)
})

test('links have the port on which the server listens', async () => {
  const { app, anonymous, newUser, deliverMails } = await buildTestApp({ PORT: '0' })
  const { email } = await newUser()
  await app.listen({ host: '127.0.0.1', port: 0 })
  await anonymous.post(`/password-recovery/${email}`)
  const [mail] = await deliverMails()
  expect(mail?.text).toContain(`${app.listeningOrigin.replace('127.0.0.1', 'localhost')}/reset-password?token=`)
})

describe('templates', () => {
  const publicUrl = () => 'https://example.org'
  const context = { config: { product: 'A <b>& "C"' }, publicUrl } as unknown as Context
  const person = { full_name: null, is_active: true }

  test('escape every variable in HTML', () => {
    const written = [
      recoveryMail(context, '"><script>alert(1)</script>'),
      accountCreatedMail(
        context,
        { ...person, full_name: '<img src=x onerror=alert(1)>' },
        '"><script>alert(1)</script>',
      ),
      accountCreatedMail(context, { ...person, full_name: "O'Hara" }, "x' onload='y"),
      noticeMail(context, 'password-changed'),
      noticeMail(context, 'address-changed'),
    ]
    for (const { html } of written) {
      expect(html).not.toMatch(/<img|<script|<b>|onload='/)
      expect(html).toContain('A &lt;b&gt;&amp; &quot;C&quot;')
    }
    expect(written[2]?.html).toContain('Hello O&#39;Hara,')
  })

  test.each([
    ['Ada Lovelace', 'Hello Ada Lovelace,'],
    ['  Ада ', 'Hello Ада,'],
    ['Jean-Luc O’Neill, Jr.', 'Hello Jean-Luc O’Neill, Jr.,'],
    [null, 'Hello,'],
    ['   ', 'Hello,'],
    ['Win a prize at https://evil.example', 'Hello,'],
    ['visit evil.example now', 'Hello,'],
    ['mail me@evil.example', 'Hello,'],
    ['Ada\r\nBcc: eve@evil.example', 'Hello,'],
    ['x'.repeat(61), 'Hello,'],
  ])('greet %j only if it looks like a name', (full_name, greeting) => {
    const { text, html } = accountCreatedMail(context, { ...person, full_name }, 'token')
    expect(text.split('\n')[0]).toBe(greeting)
    expect(text + html).not.toContain('evil')
  })

  test('use the configured product name', async () => {
    const { anonymous, deliverMails, ada } = await buildTestAppWith({ ada: {} }, { VITE_APP_NAME: 'Butler' })
    await anonymous.post(`/password-recovery/${ada.email}`)
    expect((await deliverMails())[0]).toMatchObject({ subject: 'Reset your Butler password' })
  })
})
