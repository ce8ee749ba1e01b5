import { describe, expect, test } from 'vitest'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore } from '../platform/database/store.ts'
import { buildTestApp, newPassword, type Person, statusAndBody, tokenIn } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'

const invalid = [401, { detail: 'Could not validate credentials' }]
const absent = [401, { detail: 'Not authenticated' }]

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

const inFullWidth = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 65248))

describe('an access token', () => {
  const forgeries: [string, (token: string) => string][] = [
    ['without its last character', (token) => token.slice(0, -1)],
    ['without its first character', (token) => token.slice(1)],
    ['with one more character', (token) => `${token}A`],
    ['with padding', (token) => `${token}=`],
    ['in the other case', swapCase],
    ['with one character changed', (token) => `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`],
    ['with a space in it', (token) => `${token.slice(0, 20)} ${token.slice(20)}`],
    ['twice', (token) => `${token}, ${token}`],
    ['in quotes', (token) => `"${token}"`],
    ['percent-encoded', (token) => Array.from(token, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
    ['in base64', (token) => Buffer.from(token).toString('base64')],
    ['with a NUL', (token) => `${token}\0`],
    ['in full-width letters', inFullWidth],
    ['with a suffix', (token) => `${token};admin=1`],
    ['of 15,000 characters', (token) => token.repeat(350)],
    ['that is an unsigned JWT', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['that is SQL', () => "' or '1'='1"],
    ['that is a word', () => 'null'],
  ]

  test('that is not exactly the issued one is rejected', async () => {
    const { app, root } = await buildPeopledApp()
    for (const [what, forge] of forgeries) {
      const response = await app.as(forge(root.token)).get('/users/me')
      expect([what, statusAndBody(response)]).toEqual([what, invalid])
    }
  })

  test('is accepted only as a bearer token in the Authorization header', async () => {
    const { anonymous, newUser } = await buildTestApp()
    const { token, email, password } = await newUser()
    const readMe = async (headers: Record<string, string>) =>
      statusAndBody(await anonymous.get('/users/me', { headers }))
    const basic = Buffer.from(`${email}:${password}`).toString('base64')
    for (const authorization of [`Basic ${basic}`, `Token ${token}`, token, `Bearer${token}`, `Bearer\t${token}`, ''])
      expect([authorization, await readMe({ authorization })]).toEqual([authorization, absent])
    const bearer = `Bearer ${token}`
    const elsewhere = { cookie: `access_token=${token}`, 'x-access-token': token, 'proxy-authorization': bearer }
    expect(await readMe(elsewhere)).toEqual(absent)
    expect(statusAndBody(await anonymous.get(`/users/me?access_token=${token}&token=${token}`))).toEqual(absent)
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}  `])
      expect((await readMe({ authorization }))[0]).toBe(200)
  })

  test('is neither the stored digest nor the session id', async () => {
    const { as, newUser, store } = await buildTestApp()
    await newUser()
    const { id, token_hash, user_id } = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    for (const token of [id, token_hash, user_id])
      expect(statusAndBody(await as(token).get('/users/me'))).toEqual(invalid)
  })

  test('of another installation is rejected', async () => {
    const database = { open: () => openStore(sqliteDialect(':memory:')) }
    const elsewhere = await buildTestApp({}, { database })
    const here = await buildTestApp()
    const root = await elsewhere.newUser({ is_superuser: true })
    expect((await root.get('/users/me')).statusCode).toBe(200)
    expect(statusAndBody(await here.as(root).get('/users/me'))).toEqual(invalid)
  })

  test('is rejected after its session has ended in any way', async () => {
    const { app, root } = await buildPeopledApp()
    const endings: ((person: Person) => Promise<unknown>)[] = [
      (person) => person.post('/logout'),
      ({ id }) => root.patch(`/users/${id}`, { is_active: false }),
      ({ id }) => root.patch(`/users/${id}`, { password: 'set by an administrator' }),
      ({ id }) => root.patch(`/users/${id}`, { is_superuser: true }),
      ({ id }) => root.delete(`/users/${id}`),
      (person) => person.delete('/users/me'),
      async (person) => {
        const again = await app.newSession(person)
        await again.patch('/users/me/password', { current_password: person.password, new_password: newPassword })
      },
    ]
    for (const end of endings) {
      const person = await app.newUser()
      await end(person)
      for (let i = 0; i < 2; i += 1) expect(statusAndBody(await person.get('/users/me'))).toEqual(invalid)
    }
  })

  test('is in no response except that to the log-in', async () => {
    const { root } = await buildPeopledApp()
    for (const [method, url] of [
      ['GET', '/users/me'],
      ['GET', '/users/'],
      ['POST', '/login/test-token'],
      ['GET', `/users/${root.token}`],
      ['GET', `/nothing/${root.token}`],
    ] as const) {
      const { body, headers } = await root.send(method, url)
      expect(body + JSON.stringify(headers)).not.toContain(root.token)
    }
  })
})

describe('a mailed token', () => {
  const forgeries: [string, (token: string) => string][] = [
    ['cut short', (token) => token.slice(0, -1)],
    ['in the other case', swapCase],
    ['with blanks around it', (token) => ` ${token} `],
    ['with a NUL', (token) => `${token}\0`],
    ['empty', () => ''],
    ['very long', (token) => token.repeat(1000)],
    ['broken text', () => '\uD800'],
  ]

  test('that is not exactly the mailed one is rejected, and the real one stays valid', async () => {
    const { app, root } = await buildPeopledApp()
    await app.anonymous.post(`/password-recovery/${root.email}`)
    await root.post('/users/invite', { email: 'ada@example.com' })
    const mails = await app.deliverMails()
    for (const [to, url] of [
      [root.email, '/reset-password/'],
      ['ada@example.com', '/accept-invitation'],
    ] as const) {
      const token = tokenIn(mails.find((mail) => mail.to === to))
      const use = async (used: string) => {
        const json = { token: used, new_password: 'another good one', password: 'another good one' }
        return statusAndBody(await app.anonymous.post(url, json))
      }
      for (const [what, forge] of forgeries)
        expect([what, await use(forge(token))]).toEqual([what, [400, { detail: 'Invalid token' }]])
      expect((await use(token))[0]).toBe(200)
    }
  })
})
