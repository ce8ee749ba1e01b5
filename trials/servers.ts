// npm run trial:servers -- --clients 24 checks that servers on one PostgreSQL share sessions, and which requests are lost
// when one of them is killed or stopped while clients hold event streams open.
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../scripts/throw-away-postgres.ts'
import { Api } from '../tests/support/api.ts'
import { ask } from '../tests/support/http.ts'
import { newDataDir, removeData, type RunningServer } from '../tests/support/running-server.ts'
import { watchEvents } from '../tests/support/watch-events.ts'
import { readNumbers } from './support/arguments.ts'
import type { LostRequest } from './support/balancer.ts'
import { Fleet } from './support/fleet.ts'
import { Report, spread } from './support/report.ts'
import { Watcher } from './support/watcher.ts'
import { Writer } from './support/writer.ts'

const { clients } = readNumbers({ clients: 24 })
const STOPS_WITHIN_MS = 5_000
const WATCHED_ITEMS = 100
const SEEN_WITHIN_MS = 1_000
/** A client waits up to a second before it reconnects. The rest is for a busy machine. */
const OPEN_WITHIN_MS = 10_000

async function losing(fleet: Fleet, api: Api, report: Report): Promise<void> {
  const people = await Promise.all(Array.from({ length: clients }, () => api.createUser()))
  const pairs: { writer: Writer; watcher: Watcher }[] = []
  for (const person of people) {
    const { token } = await Api.logIn(fleet.url, person)
    pairs.push({ writer: new Writer(fleet.url, token), watcher: new Watcher(fleet.url, token) })
  }
  const watchers = pairs.map(({ watcher }) => watcher)
  const { lost } = fleet.balancer
  const over = { writing: false, watching: false }
  const watching = Promise.all(watchers.map((watcher) => watcher.watch(() => over.watching)))
  const writing = Promise.all(pairs.map(({ writer }) => writer.write(() => over.writing)))
  const streams = (kind: 'ended' | 'broken') => watchers.reduce((sum, watcher) => sum + watcher[kind], 0)

  await sleep(2_000)
  report.promise('all servers run: no request fails', lost.splice(0).map(describe))
  report.promise(
    'all servers run: each client has a stream, and none ends',
    watchers.every(({ isOpen }) => isOpen) && streams('ended') + streams('broken') === 0 ? [] : ['not all are open'],
  )
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
  const brokenByKill = streams('broken')
  report.figure('killed: streams that broke off', brokenByKill)

  await fleet.join()
  await sleep(1_000)
  const endedBefore = streams('ended')
  const { code, ms } = await fleet.end(memberOf(fleet), 'SIGTERM')
  await sleep(2_000)
  over.writing = true
  await writing
  await sleep(SEEN_WITHIN_MS)
  const areOpen = watchers.map(({ isOpen }) => isOpen)
  over.watching = true
  await watching
  report.figure('stopped: from SIGTERM to exit', `${Math.round(ms)} ms`)
  report.promise('stopped: no request fails', lost.splice(0).map(describe))
  report.promise(
    `stopped: exits with code 0 within ${STOPS_WITHIN_MS} ms`,
    code === 0 && ms < STOPS_WITHIN_MS ? [] : [`exit code ${code} after ${ms} ms`],
  )
  report.figure('stopped: streams that ended', streams('ended') - endedBefore)
  report.promise(
    'only the streams of the killed server break off, those of the stopped one end',
    endedBefore === 0 && brokenByKill > 0 && streams('broken') === brokenByKill && streams('ended') > 0
      ? []
      : [`${streams('broken')} broke off, ${brokenByKill} by the kill; ${streams('ended')} ended`],
  )
  report.figure('without a stream', spread(watchers.flatMap(({ gaps }) => gaps)))
  report.figure(
    'requests for a stream that failed',
    watchers.reduce((sum, { failed }) => sum + failed, 0),
  )
  report.promise(
    `each client has another stream within ${OPEN_WITHIN_MS} ms`,
    [
      ...watchers.flatMap(({ gaps }) => gaps).filter((gap) => gap > OPEN_WITHIN_MS),
      ...areOpen.filter((isOpen) => !isOpen),
    ].map(String),
  )
  report.promise(
    'streams tell of each item that was added a second before their end',
    pairs.flatMap(({ writer, watcher }) => [...watcher.faults, ...watcher.missed(writer.added)]),
  )
  const writers = pairs.map(({ writer }) => writer)
  report.figure('items added', writers.flatMap(({ added }) => added).length)
  report.figure('response times', spread(writers.flatMap(({ times }) => times)))
  report.promise(
    'sessions stay valid, and clients see their own writes',
    writers.flatMap(({ faults }) => faults),
  )
}

async function telling(fleet: Fleet, { token }: Api, report: Report): Promise<void> {
  const streams = await Promise.all(fleet.members.map(({ url }) => watchEvents(url, token)))
  const begun = performance.now()
  const ids: string[] = []
  for (let number = 0; number < WATCHED_ITEMS; number += 1)
    for (const { url } of fleet.members) {
      const { body } = await ask('POST', `${url}/api/v1/items/`, { token, json: { title: `Watched ${number}` } })
      ids.push((JSON.parse(body) as { id: string }).id)
    }
  const unseen = (): string[] =>
    streams.flatMap(({ hints }, index) => {
      const seen = new Set(hints.map(({ id }) => id))
      const count = ids.filter((id) => !seen.has(id)).length
      return count === 0 ? [] : [`server ${index + 1} did not tell of ${count}`]
    })
  const last = performance.now()
  while (unseen().length > 0 && performance.now() - last < SEEN_WITHIN_MS) await sleep(10)
  report.figure(`${ids.length} items written and seen`, `${Math.round(performance.now() - begun)} ms`)
  report.promise(`each server tells of what every other one writes, within ${SEEN_WITHIN_MS} ms`, unseen())
  for (const stream of streams) stream.leave()
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
    await telling(fleet, root, report)
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
