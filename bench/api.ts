// npm run bench:api: what requests cost with few rows and with a million, on SQLite. `--postgres`: on PostgreSQL, in
// databases of its own on the server that DATABASE_URL names, or else on a server of its own. `--quick`: with fewer rows,
// and shorter. `--write`: puts the tables into docs/performance.md.
import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { type Load, measureLoad } from './support/load.ts'
import { residentMemory } from '../tests/support/measure.ts'
import { describeMachine } from './support/machine.ts'
import { runAgainWithPostgres, withDatabase } from './support/postgres.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/figures.ts'
import { type SeededServer, startSeededServer } from './support/seeded-server.ts'

const PAGE = 50
const CONNECTIONS = 10
const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { quick: flag, postgres: flag, write: flag } })
const FEW = 1_000
const MANY = flags.quick ? 20_000 : 1_000_000
const ROUNDS = flags.quick ? 3 : 5
const SECONDS = 1

/** The requests to measure, by name. Deep is the middle: page 10,000 of a million rows. */
function casesFor({ url, superuser, owner, people }: SeededServer, rows: number): Record<string, Options> {
  const deep = rows / 2 - PAGE
  const read = (path: string, { token }: { token: string }): Options => ({
    url: `${url}/api/v1${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const page = (path: string, skip: number) => `${path}?skip=${skip}&limit=${PAGE}`
  return {
    'log-in': {
      url: `${url}/api/v1/login/access-token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      requests: people.map(({ email, password }) => ({
        body: new URLSearchParams({ username: email, password }).toString(),
      })),
      // More at once would wait for each other: hashing takes a core each.
      connections: 2,
    },
    'own account': read('/users/me', owner),
    'own items, page 1': read(page('/items/', 0), owner),
    'own items, deep': read(page('/items/', deep), owner),
    'all items, page 1': read(page('/items/', 0), superuser),
    'all items, deep': read(page('/items/', deep), superuser),
    'users, page 1': read(page('/users/', 0), superuser),
    'users, deep': read(page('/users/', deep), superuser),
  }
}

/** Both servers take turns, so that whatever else the machine does meets both; the median round counts. */
async function measureCases(few: SeededServer, many: SeededServer) {
  const ofMany = casesFor(many, MANY)
  const results: { name: string; few: Load; many: Load }[] = []
  for (const [name, options] of Object.entries(casesFor(few, FEW))) {
    const rounds: { few: Load; many: Load }[] = []
    const measure = (load: Options) =>
      measureLoad({ connections: CONNECTIONS, title: name, ...load, duration: SECONDS })
    // One more than counts: the first is to warm up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      rounds.push({ few: await measure(options), many: await measure(ofMany[name] ?? options) })
    }
    rounds.shift()
    results.push({
      name,
      few: median(rounds.map((round) => round.few)),
      many: median(rounds.map((round) => round.many)),
    })
    const { few: one, many: other } = results.at(-1) ?? {}
    console.error(`  ${name}: ${one?.perSecond.toFixed(0)} and ${other?.perSecond.toFixed(0)} a second`)
  }
  return results
}

function median(loads: Load[]): Load {
  const [middle] = loads.toSorted((a, b) => a.perSecond - b.perSecond).slice(Math.floor(loads.length / 2))
  if (!middle) throw new Error('Nothing was measured')
  return middle
}

/** Runs `work` and looks several times a second how much memory the servers have. @returns the most, in MiB */
async function watchMemory(servers: SeededServer[], work: () => Promise<void>): Promise<(number | undefined)[]> {
  const most = servers.map(({ pid }) => residentMemory(pid))
  const watch = setInterval(() => {
    for (const [index, { pid }] of servers.entries()) {
      most[index] = Math.max(most[index] ?? 0, residentMemory(pid) ?? 0) || undefined
    }
  }, 250)
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return most
}

async function bench(database: string, urls: [string | undefined, string | undefined]): Promise<void> {
  console.error(`${database}: adding ${FEW} and ${MANY} users and items …`)
  const few = await startSeededServer(FEW, urls[0])
  try {
    const many = await startSeededServer(MANY, urls[1])
    try {
      let cases: Awaited<ReturnType<typeof measureCases>> = []
      const memory = await watchMemory([few, many], async () => {
        cases = await measureCases(few, many)
      })
      report(database, cases, [
        { rows: FEW, server: few, memory: memory[0] },
        { rows: MANY, server: many, memory: memory[1] },
      ])
    } finally {
      await many.stop()
    }
  } finally {
    await few.stop()
  }
}

const count = (of: number): string => of.toLocaleString('en')

const times = (slower: Load | undefined, faster: Load | undefined): string =>
  slower && faster ? `${(faster.perSecond / slower.perSecond).toFixed(2)} ×` : ''

function report(
  database: string,
  cases: { name: string; few: Load; many: Load }[],
  servers: { rows: number; server: SeededServer; memory: number | undefined }[],
): void {
  const rows = cases.map(({ name, few, many }) => [
    name,
    few.perSecond.toFixed(0),
    `${few.p50} / ${few.p99}`,
    many.perSecond.toFixed(0),
    `${many.p50} / ${many.p99}`,
    times(many, few),
    name.endsWith('deep') ? times(many, cases.find((one) => one.name === name.replace('deep', 'page 1'))?.many) : '',
  ])
  const head = ['Request', `Requests/s, ${count(FEW)} rows`, 'p50 / p99, ms', `Requests/s, ${count(MANY)} rows`]
  const requests = tableOf([...head, 'p50 / p99, ms', `Cost against ${count(FEW)} rows`, 'Against page 1'], rows)
  const facts = servers.map(({ rows: of, server, memory }) => [
    count(of),
    `${server.seedSeconds.toFixed(0)} s`,
    `${server.startSeconds.toFixed(2)} s`,
    memory === undefined ? 'unknown' : `${memory.toFixed(0)} MiB`,
  ])
  const where = describeMachine()
  const text = [
    `${database}; ${where.machine}; Node ${where.node}; ${where.date}. ${CONNECTIONS} connections (log-in: 2), the median of ${ROUNDS} rounds of ${SECONDS} s.`,
    requests,
    tableOf(['Users, and items', 'Adding them', 'From start to ready', 'Most memory (RSS)'], facts),
  ].join('\n\n')
  console.log(text)
  const name = `bench:api ${database}`
  writeJson(`bench/results/api-${database.toLowerCase()}.json`, { ...where, cases, servers: facts })
  if (flags.write && !flags.quick) writeBetweenMarkers('docs/performance.md', name, text)
}

const serverUrl = process.env['TEST_DATABASE'] ?? process.env['DATABASE_URL']
if (!flags.postgres) await bench('SQLite', [undefined, undefined])
else if (!serverUrl) process.exitCode = runAgainWithPostgres()
else await withDatabase(serverUrl, (few) => withDatabase(serverUrl, (many) => bench('PostgreSQL', [few, many])))
