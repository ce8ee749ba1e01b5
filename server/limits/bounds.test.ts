import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestApp, newPassword, type TestApp } from '../test/build-test-app.ts'
import { begin, logInWith, paths, register } from '../test/ceremonies.ts'
import { ask, finish, newUserWithApp } from '../test/second-factors.ts'

const minute = 60_000
const here = '192.0.2.1'
const elsewhere = '198.51.100.1'

type Send = () => Promise<LightMyRequestResponse>

interface Counted {
  /** Sends an attempt that counts, from the network with this number. */
  attempt: (index: number) => Promise<LightMyRequestResponse>
  /** A correct request that is refused after too many attempts. */
  right?: Send
  /** A request that is still accepted then. */
  other?: Send
}

type Bound = [what: string, max: number, minutes: number, message: string, prepare: (app: TestApp) => Promise<Counted>]

const failed = 'Too many failed attempts'
const logIns = 'Too many log-ins from this address'
const codes = 'Too many wrong codes'

/** Networks of one IPv6 site, and of the whole internet. */
const networks = {
  '/64': (i: number) => `2001:db8::${i.toString(16)}`,
  '/56': (i: number) => `2001:db8:0:${i.toString(16)}::1`,
  '/48': (i: number) => `2001:db8:0:${i.toString(16)}00::1`,
  internet: (i: number) => `203.0.${i}.7`,
}

/** Guesses passwords from these networks. The owner can still log in from a network where they did before. */
const guessPasswords =
  (ipOf: (i: number) => string) =>
  async ({ newUser, tryLogIn }: TestApp): Promise<Counted> => {
    const { email, password } = await newUser()
    await tryLogIn(email, password, { ip: elsewhere })
    return {
      attempt: (i) => tryLogIn(email, 'wrong', { ip: ipOf(i) }),
      right: () => tryLogIn(email.toUpperCase(), password, { ip: ipOf(0) }),
      other: () => tryLogIn(email, password, { ip: elsewhere }),
    }
  }

/** Begins log-ins with a passkey. One that began earlier can still end. */
const beginPasskeyLogIns =
  (ipOf: (i: number) => string) =>
  async (app: TestApp): Promise<Counted> => {
    const { key } = await register(await app.newUser())
    const { ceremony, options } = await begin(app.anonymous, 'log-in')
    return {
      attempt: (i) => app.anonymous.post(paths['log-in'].begin, undefined, { ip: ipOf(i % 200) }),
      other: () => app.anonymous.post('/login/passkey', { ceremony, credential: key.get(options) }),
    }
  }

async function ofNobody({ tryLogIn }: TestApp): Promise<Counted> {
  return { attempt: (i) => tryLogIn('nobody@example.com', 'wrong', { ip: networks.internet(i) }) }
}

async function ofAll({ newUser, tryLogIn }: TestApp): Promise<Counted> {
  const { email, password } = await newUser()
  return {
    attempt: (i) => tryLogIn(`a${i}@example.com`, 'wrong', { ip: networks['/64'](i) }),
    right: () => tryLogIn(email, password, { ip: networks['/64'](1) }),
    other: () => tryLogIn(email, password, { ip: '2001:db8:0:1::1' }),
  }
}

async function rightOnes({ newUser, tryLogIn }: TestApp): Promise<Counted> {
  const { email, password } = await newUser()
  return {
    attempt: () => tryLogIn(email, password, { ip: here }),
    other: () => tryLogIn(email, password, { ip: elsewhere }),
  }
}

async function ownPassword({ newUser }: TestApp): Promise<Counted> {
  const ada = await newUser()
  return {
    async attempt(i) {
      if (i % 4 === 3) await ada.patch('/users/me', { email: `new${i}@example.com` })
      const json = { current_password: 'not the password', new_password: newPassword }
      return ada.patch('/users/me/password', json, { ip: networks.internet(i) })
    },
  }
}

async function ownPasswordThenLogIn({ newUser, tryLogIn }: TestApp): Promise<Counted> {
  const ada = await newUser()
  const json = { current_password: 'not the password', new_password: newPassword }
  return {
    attempt: () => ada.patch('/users/me/password', json, { ip: here }),
    right: () => tryLogIn(ada.email, ada.password, { ip: here }),
  }
}

async function logInThenOwnPassword({ newUser, tryLogIn }: TestApp): Promise<Counted> {
  const ada = await newUser()
  const json = { current_password: ada.password, new_password: newPassword }
  return {
    attempt: () => tryLogIn(ada.email, 'wrong', { ip: here }),
    right: () => ada.patch('/users/me/password', json, { ip: here }),
  }
}

async function codesOfLogIns(app: TestApp): Promise<Counted> {
  const { ada, codes: recovery, show, showWrong } = await newUserWithApp(app)
  const { key } = await register(ada)
  const enter = async (code: string, ip = elsewhere) => finish(app, await ask(app, ada), code, { ip })
  return {
    attempt: (i) => enter(i % 2 ? 'AAAA-BBBB-CCCC-DDDD' : showWrong(), networks.internet(i)),
    async right() {
      const used = await enter(recovery[0] ?? '')
      return used.statusCode === 200 ? used : enter(show())
    },
    other: () => logInWith(app, key),
  }
}

async function codesOfSession(app: TestApp): Promise<Counted> {
  const { ada, show, showWrong } = await newUserWithApp(app)
  return {
    attempt: () => ada.post('/users/me/confirm', { code: showWrong() }),
    right: () => ada.post('/users/me/confirm', { code: show() }),
  }
}

async function signUps({ anonymous }: TestApp): Promise<Counted> {
  const signUp = (name: string, ip: string) =>
    anonymous.post('/users/signup', { email: `${name}@example.com`, password: newPassword }, { ip })
  return { attempt: (i) => signUp(`a${i}`, here), other: () => signUp('other', elsewhere) }
}

const bounds: Bound[] = [
  ['wrong passwords of an account from a network', 10, 15, failed, guessPasswords(() => here)],
  ['wrong passwords of an account from a /64', 10, 15, failed, guessPasswords(networks['/64'])],
  ['wrong passwords of an account from a /56', 20, 15, failed, guessPasswords(networks['/56'])],
  ['wrong passwords of an account from a /48', 40, 15, failed, guessPasswords(networks['/48'])],
  ['wrong passwords of an account from everywhere', 50, 60, failed, guessPasswords(networks.internet)],
  ['wrong passwords of no account from everywhere', 50, 60, failed, ofNobody],
  ['wrong passwords of all accounts from a network', 100, 15, failed, ofAll],
  ['right passwords of an account from a network', 100, 15, failed, rightOnes],
  ['wrong current passwords, also while the address changes', 10, 15, failed, ownPassword],
  ['wrong current passwords, for a log-in', 10, 15, failed, ownPasswordThenLogIn],
  ['wrong passwords of log-ins, for the own one', 10, 15, failed, logInThenOwnPassword],
  ['wrong codes of an account, in all log-ins', 20, 60, codes, codesOfLogIns],
  ['wrong codes of a session', 10, 15, failed, codesOfSession],
  ['open log-ins with a passkey of a /64', 100, 15, logIns, beginPasskeyLogIns(networks['/64'])],
  ['open log-ins with a passkey of a /56', 200, 15, logIns, beginPasskeyLogIns(networks['/56'])],
  ['open log-ins with a passkey of a /48', 400, 15, logIns, beginPasskeyLogIns(networks['/48'])],
  ['sign-ups from a network', 3, 60, 'Too many sign-ups from this address', signUps],
]

test.each(bounds)('%s are limited to %i in %i minutes', async (_what, max, minutes, message, prepare) => {
  const app = await buildTestApp({ SIGNUP_LIMIT_PER_HOUR: '3' })
  const { attempt, right, other } = await prepare(app)
  const statuses: number[] = []
  for (let i = 0; i < max; i += 1) statuses.push((await attempt(i)).statusCode)
  expect(new Set(statuses).size).toBe(1)
  expect(statuses).not.toContain(429)
  for (const refused of [await attempt(max), ...(right ? [await right()] : [])]) {
    expect(refused.json()).toEqual({ detail: `${message}, please try again later` })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, `${minutes * 60}`])
  }
  expect((await other?.())?.statusCode ?? 200).toBe(200)

  app.clock.advance((minutes - 1) * minute)
  expect((await (right ?? (() => attempt(max)))()).headers['retry-after']).toBe('60')
  app.clock.advance(minute)
  expect((await (right?.() ?? attempt(max))).statusCode).toBe(right ? 200 : statuses[0])
})
