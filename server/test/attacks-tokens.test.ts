import { describe, expect, test } from 'vitest'
import { sqliteDialect } from '../platform/database/sqlite.ts'
import { openStore } from '../platform/database/store.ts'
import { statusAndBody, buildTestApp, newPassword, type Person, tokenIn } from './build-test-app.ts'

const invalid = [401, { detail: 'Could not validate credentials' }]
const absent = [401, { detail: 'Not authenticated' }]

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

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
    [
      'in full-width letters',
      (token) => token.replaceAll(/[A-Z]/g, (l) => String.fromCharCode(l.charCodeAt(0) + 65248)),
    ],
    ['with a suffix', (token) => `${token};admin=1`],
    ['of 15,000 characters', (token) => token.repeat(350)],
    ['that is an unsigned JWT', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['that is SQL', () => "' or '1'='1"],
    ['that is a word', () => 'null'],
  ]

  test('that is not exactly the issued one is rejected', async () => {
    const { as, newUser } = await buildTestApp()
    const { token } = await newUser({ is_superuser: true })
    for (const [what, forge] of forgeries) {
      const response = await as(forge(token)).get('/users/me')
      expect([what, statusAndBody(response)]).toEqual([what, invalid])
    }
  })

  test('is accepted only as a bearer token in the Authorization header', async () => {
    const { anonymous, newUser } = await buildTestApp()
    const { token, email, password } = await newUser()
    const basic = Buffer.from(`${email}:${password}`).toString('base64')
    for (const authorization of [`Basic ${basic}`, `Token ${token}`, token, `Bearer${token}`, `Bearer\t${token}`, '']) {
      expect(statusAndBody(await anonymous.get('/users/me', { headers: { authorization } }))).toEqual(absent)
    }
    const elsewhere = {
      cookie: `access_token=${token}`,
      'x-access-token': token,
      'proxy-authorization': `Bearer ${token}`,
    }
    expect(statusAndBody(await anonymous.get(`/users/me?access_token=${token}&token=${token}`))).toEqual(absent)
    expect(statusAndBody(await anonymous.get('/users/me', { headers: elsewhere }))).toEqual(absent)
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}  `]) {
      expect((await anonymous.get('/users/me', { headers: { authorization } })).statusCode).toBe(200)
    }
  })

  test('is neither the stored digest nor the session id', async () => {
    const { as, newUser, store } = await buildTestApp()
    await newUser()
    const { id, token_hash, user_id } = await store.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    for (const token of [id, token_hash, user_id]) {
      expect(statusAndBody(await as(token).get('/users/me'))).toEqual(invalid)
    }
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
    const { as, newUser, logIn } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    const admin = async (method: 'PATCH' | 'DELETE', { id }: Person, json?: object) =>
      root.send(method, `/users/${id}`, json)
    const endings: ((person: Person) => Promise<unknown>)[] = [
      (person) => person.post('/logout'),
      (person) => admin('PATCH', person, { is_active: false }),
      (person) => admin('PATCH', person, { password: 'set by an administrator' }),
      (person) => admin('PATCH', person, { is_superuser: true }),
      (person) => admin('DELETE', person),
      (person) => person.delete('/users/me'),
      async ({ email, password }) => {
        const token = await logIn(email, password)
        const json = { current_password: password, new_password: newPassword }
        await as(token).patch('/users/me/password', json)
      },
    ]
    for (const end of endings) {
      const person = await newUser()
      await end(person)
      for (let i = 0; i < 2; i += 1) {
        expect(statusAndBody(await person.get('/users/me'))).toEqual(invalid)
      }
    }
  })

  test('is in no response except that to the log-in', async () => {
    const { newUser } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
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
    const { anonymous, newUser, deliverMails } = await buildTestApp()
    const root = await newUser({ is_superuser: true })
    await anonymous.post(`/password-recovery/${root.email}`)
    await root.post('/users/invite', { email: 'ada@example.com' })
    const mails = await deliverMails()
    for (const [to, url] of [
      [root.email, '/reset-password/'],
      ['ada@example.com', '/accept-invitation'],
    ] as const) {
      const token = tokenIn(mails.find((mail) => mail.to === to))
      const use = async (used: string) => {
        const json = { token: used, new_password: 'another good one', password: 'another good one' }
        return statusAndBody(await anonymous.post(url, json))
      }
      for (const [what, forge] of forgeries)
        expect([what, await use(forge(token))]).toEqual([what, [400, { detail: 'Invalid token' }]])
      expect((await use(token))[0]).toBe(200)
    }
  })
})
