// npm run trial:servers -- --clients 24
// Checks that two and four servers on one PostgreSQL share sessions, and which requests are lost when one of them is killed
// or stopped. Server tests check limits, mails and the last superuser on several servers.
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../scripts/throw-away-postgres.ts'
import { Api } from '../tests/support/api.ts'
import { newDataDir, removeData, type RunningServer } from '../tests/support/running-server.ts'
import { watchEvents } from '../tests/support/watch-events.ts'
import { readNumbers } from './support/arguments.ts'
import type { LostRequest } from './support/balancer.ts'
import { Fleet } from './support/fleet.ts'
import { Report, spread } from './support/report.ts'
import { Writer } from './support/writer.ts'

const { clients } = readNumbers({ clients: 24 })
const STOPS_WITHIN_MS = 5_000
const WATCHED_ITEMS = 200
const SEEN_WITHIN_MS = 1_000

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

/** A stream on the last server learns of what is written through all of them. */
async function watching(fleet: Fleet, api: Api, report: Report): Promise<void> {
  const stream = await watchEvents(fleet.members.at(-1)?.url ?? '', api.token)
  const begun = performance.now()
  for (let number = 0; number < WATCHED_ITEMS; number += 1) await api.createItem(`Watched ${number}`)
  const seen = () => new Set(stream.hints.map(({ id }) => id)).size
  const last = performance.now()
  while (seen() < WATCHED_ITEMS && performance.now() - last < SEEN_WITHIN_MS) await sleep(10)
  stream.leave()
  report.figure(`${WATCHED_ITEMS} items written and seen`, `${Math.round(performance.now() - begun)} ms`)
  report.promise(
    'a stream on one server tells of what the others write, within a second',
    seen() < WATCHED_ITEMS ? [`${seen()} of ${WATCHED_ITEMS}`] : [],
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
    const root = await Api.ofSuperuser(fleet.url)
    await watching(fleet, root, report)
    await losing(fleet, root, report)
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
