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
import { SEEN_WITHIN_MS, startClients } from './support/clients.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { Report, spread } from './support/report.ts'

const { clients } = readNumbers({ clients: 24 })
const STOPS_WITHIN_MS = 5_000
const WATCHED_ITEMS = 100

async function losing(fleet: Fleet, api: Api, report: Report): Promise<void> {
  const crowd = await startClients(fleet.url, api, clients)
  const { writers, watchers, streams } = crowd
  const { lost } = fleet

  await sleep(2_000)
  const areOpen = watchers.every(({ isOpen }) => isOpen) && streams('ended') + streams('broken') === 0
  report.promises({
    'all servers run: no request fails': lost.splice(0).map(describe),
    'all servers run: each client has a stream, and none ends': areOpen ? [] : ['not all are open'],
  })
  const killed = memberOf(fleet)
  await fleet.end(killed, 'SIGKILL')
  const goneAt = performance.now()
  await sleep(2_000)
  const lostByKill = lost.splice(0)
  const brokenByKill = streams('broken')
  const lostElsewhere = lostByKill.filter(({ url, sentAt }) => url !== killed.url || sentAt > goneAt)
  report.figures({
    'killed: requests lost': lostByKill.length,
    'killed: streams that broke off': brokenByKill,
  })
  report.promises({
    'killed: only requests sent to that server before its end fail': lostElsewhere.map(describe),
  })

  await fleet.join()
  await sleep(1_000)
  const endedBefore = streams('ended')
  const { code, ms } = await fleet.end(memberOf(fleet), 'SIGTERM')
  await sleep(2_000)
  await crowd.end()
  const [ended, broken] = [streams('ended'), streams('broken')]
  const isInOrder = endedBefore === 0 && brokenByKill > 0 && broken === brokenByKill && ended > 0
  report.figures({
    'stopped: from SIGTERM to exit': `${Math.round(ms)} ms`,
    'stopped: streams that ended': ended - endedBefore,
    'items added': writers.flatMap(({ added }) => added).length,
    'response times': spread(writers.flatMap(({ times }) => times)),
  })
  report.promises({
    'stopped: no request fails': lost.splice(0).map(describe),
    [`stopped: exits with code 0 within ${STOPS_WITHIN_MS} ms`]:
      code === 0 && ms < STOPS_WITHIN_MS ? [] : [`exit code ${code} after ${ms} ms`],
    'only the streams of the killed server break off, those of the stopped one end': isInOrder
      ? []
      : [`${broken} broke off, ${brokenByKill} by the kill; ${ended} ended`],
  })
  crowd.reportTo(report)
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
  report.figures({ [`${ids.length} items written and seen`]: `${Math.round(performance.now() - begun)} ms` })
  report.promises({ [`each server tells of what every other one writes, within ${SEEN_WITHIN_MS} ms`]: unseen() })
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
  const fleet = await startFleet(size, dataDir)
  try {
    const ms = Math.round(performance.now() - begun)
    report.figures({ 'from a simultaneous start on an empty database to all ready': `${ms} ms` })
    const first = fleet.members.filter(({ output }) => output().includes('The first superuser is')).length
    report.promises({ 'one first superuser': first === 1 ? [] : [`created by ${first} servers`] })
    const root = await Api.ofSuperuser(fleet.url)
    await telling(fleet, root, report)
    await losing(fleet, root, report)
    const logs = fleet.members.map(({ output }) => output())
    report.promises({ 'no server logs an error': logs.filter((text) => /"level":(50|60)/.test(text)) })
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
