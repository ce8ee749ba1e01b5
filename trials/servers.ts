// npm run trial:servers -- --clients 24
// Checks that two and four servers on one PostgreSQL share their state, and which requests are lost when one of them is
// killed or stopped.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../scripts/throw-away-postgres.ts'
import { Api, type Person } from '../tests/support/api.ts'
import { findResetLink } from '../tests/support/outbox.ts'
import { newDataDir, removeData, type RunningServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import type { LostRequest } from './support/balancer.ts'
import { Fleet } from './support/fleet.ts'
import { addressOf, type Reply, ask } from '../tests/support/http.ts'
import { Report, spread } from './support/report.ts'
import { Writer } from './support/writer.ts'

const { clients, accounts, mails, duels } = readNumbers({ clients: 24, accounts: 4, mails: 30, duels: 10 })
const STOPS_WITHIN_MS = 5_000
const MAILS_WITHIN_MS = 60_000
const GUESSES = 30
const GUESSES_ALLOWED = 10

let addresses = 0
const newAddress = (): string => addressOf((addresses += 1))

function logIn(url: string, { email: username, password }: Pick<Person, 'email' | 'password'>, from: string) {
  return ask('POST', `${url}/api/v1/login/access-token`, { form: { username, password }, from })
}

/** All servers together check at most ten wrong guesses for an account. */
async function guess(fleet: Fleet, api: Api): Promise<string[]> {
  const faults: string[] = []
  for (let account = 0; account < accounts; account += 1) {
    const person = await api.createUser()
    const from = newAddress()
    const wrong = { ...person, password: 'not this one' }
    const answers = await Promise.all(Array.from({ length: GUESSES }, () => logIn(fleet.url, wrong, from)))
    const looked = answers.filter(({ status }) => status === 400).length
    const refused = answers.filter(({ status }) => status === 429).length
    if (looked !== GUESSES_ALLOWED || looked + refused !== GUESSES) {
      faults.push(`${looked} guesses checked and ${refused} refused of ${GUESSES}`)
    }
    const right = await logIn(fleet.url, person, from)
    if (right.status !== 429) faults.push(`then the right password: ${right.status}`)
  }
  return faults
}

/** Each mail is sent by one server. */
async function recover(fleet: Fleet, api: Api, dataDir: string): Promise<string[]> {
  const people = await Promise.all(Array.from({ length: mails }, () => api.createUser()))
  await Promise.all(
    people.map(({ email }) => ask('POST', `${fleet.url}/api/v1/password-recovery/${email}`, { from: newAddress() })),
  )
  const recoveries = () => readdirSync(join(dataDir, 'outbox')).filter((name) => /-recovery-.*\.eml$/.test(name))
  for (let waited = 0; waited < MAILS_WITHIN_MS && recoveries().length < mails; waited += 500) await sleep(500)
  // Long enough for a second server to send one again.
  await sleep(3_000)
  const missing: string[] = []
  for (const { email } of people) if (!(await findResetLink(dataDir, email))) missing.push(`nothing for ${email}`)
  return recoveries().length === mails ? missing : [`${recoveries().length} mails for ${mails}`, ...missing]
}

/** Two superusers demote each other at the same time, on different servers. Exactly one succeeds. */
async function duel(fleet: Fleet): Promise<string[]> {
  const faults: string[] = []
  const [one, other] = fleet.members
  if (!one || !other) throw new Error('A duel needs two servers')
  for (let round = 0; round < duels; round += 1) {
    const api = await Api.ofSuperuser(fleet.url)
    const rival = await Api.logIn(fleet.url, await api.createUser({ isSuperuser: true }))
    const [rootId, rivalId] = [await idOf(api), await idOf(rival)]
    const [first, second] = await Promise.all([
      setRole(one.url, api.token, rivalId, false),
      setRole(other.url, rival.token, rootId, false),
    ])
    const won = [first, second].filter(({ status }) => status === 200).length
    if (won !== 1) faults.push(`round ${round}: ${first.status} and ${second.status}`)
    if (second.status !== 200) continue
    // The rival won, and now restores the first superuser.
    const given = await setRole(fleet.url, rival.token, rootId, true)
    const resigned = await setRole(fleet.url, rival.token, rivalId, false)
    if (given.status !== 200 || resigned.status !== 200) return [...faults, `${given.body} ${resigned.body}`]
  }
  return faults
}

function setRole(url: string, token: string, id: string, is_superuser: boolean): Promise<Reply> {
  return ask('PATCH', `${url}/api/v1/users/${id}`, { token, json: { is_superuser } })
}

async function idOf(api: Api): Promise<string> {
  return (await api.get<{ id: string }>('/users/me')).id
}

/** Clients write and read while one server is killed, one is added, and one is stopped. */
async function losing(fleet: Fleet, api: Api, report: Report): Promise<void> {
  const people = await Promise.all(Array.from({ length: clients }, () => api.createUser()))
  const writers: Writer[] = []
  for (const person of people) writers.push(new Writer(fleet.url, (await Api.logIn(fleet.url, person)).token))
  const { lost } = fleet.balancer
  let enough = false
  const writing = Promise.all(writers.map((writer) => writer.write(() => enough)))

  await sleep(2_000)
  report.promise('all servers run: no request fails', lost.splice(0).map(describe))
  const killed = memberOf(fleet)
  await fleet.end(killed, 'SIGKILL')
  const goneAt = performance.now()
  await sleep(2_000)
  const lostByKill = lost.splice(0)
  report.figure('killed: requests lost', lostByKill.length)
  report.promise(
    'killed: only requests sent to that server before its end fail',
    lostByKill.filter(({ url, sentAt }) => url !== killed.url || sentAt > goneAt).map(describe),
  )

  await fleet.join()
  await sleep(1_000)
  const { code, ms } = await fleet.end(memberOf(fleet), 'SIGTERM')
  await sleep(2_000)
  enough = true
  await writing
  report.figure('stopped: from SIGTERM to exit', `${Math.round(ms)} ms`)
  report.promise('stopped: no request fails', lost.splice(0).map(describe))
  report.promise(
    `stopped: exits with code 0 within ${STOPS_WITHIN_MS} ms`,
    code === 0 && ms < STOPS_WITHIN_MS ? [] : [`exit code ${code} after ${ms} ms`],
  )
  report.figure('response times', spread(writers.flatMap(({ times }) => times)))
  report.promise(
    'sessions stay valid, and clients see their own writes',
    writers.flatMap(({ faults }) => faults),
  )
}

const describe = ({ url, sentAt }: LostRequest): string => `sent to ${url} at ${Math.round(sentAt)} ms`

function memberOf({ members: [first] }: Fleet): RunningServer {
  if (!first) throw new Error('No server is left')
  return first
}

async function tryOut(size: number): Promise<void> {
  const report = new Report(`${size} servers on one PostgreSQL, ${clients} clients`)
  const dataDir = newDataDir()
  const begun = performance.now()
  const fleet = await Fleet.start(size, dataDir)
  try {
    report.figure(
      'from a simultaneous start on an empty database to all ready',
      `${Math.round(performance.now() - begun)} ms`,
    )
    const first = fleet.members.filter(({ output }) => output().includes('The first superuser is')).length
    report.promise('one first superuser', first === 1 ? [] : [`created by ${first} servers`])
    const api = await Api.ofSuperuser(fleet.url)
    report.promise(`${GUESSES_ALLOWED} of ${GUESSES} simultaneous wrong guesses are checked`, await guess(fleet, api))
    report.promise(`each of ${mails} mails is sent once`, await recover(fleet, api, dataDir))
    report.promise('one of two superusers remains', await duel(fleet))
    await losing(fleet, await Api.ofSuperuser(fleet.url), report)
    report.promise(
      'no server logs an error',
      fleet.members.map(({ output }) => output()).filter((text) => /"level":(50|60)/.test(text)),
    )
  } finally {
    await fleet.stop()
    removeData(dataDir)
  }
  report.print()
}

const postgres = await startPostgres()
process.env['TEST_DATABASE'] = postgres.url
try {
  await tryOut(2)
  await tryOut(4)
} finally {
  await postgres.remove()
}
