// npm run bench:api: what requests cost, with few rows and with a million. `--quick`: fewer rows, shorter. `--postgres`:
// also on a PostgreSQL, the one of DATABASE_URL (in databases of its own) or else one of this machine. `--write`: puts
// the table into docs/performance.md.
import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { measureLoad, type Load } from './support/load.ts'
import { describeMachine, residentMemory } from './support/machine.ts'
import { runAgainWithPostgres, withDatabase } from './support/postgres.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/report.ts'
import { startSeededServer } from './support/seeded-server.ts'

const PAGE = 50
const CONNECTIONS = 10
const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { quick: flag, postgres: flag, write: flag } })
const sizes = flags.quick ? [1_000, 20_000] : [1_000, 1_000_000]
const seconds = flags.quick ? 1 : 5

type Server = Awaited<ReturnType<typeof startSeededServer>>

interface Run {
  database: string
  rows: number
  seedSeconds: number
  startSeconds: number
  maxMemory: number | undefined
  cases: ({ name: string } & Load)[]
}

/** The requests to measure, by name. Deep is the middle: page 10,000 of a million rows. */
function casesFor({ url, superuser, owner }: Server, rows: number): Record<string, Options> {
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
      body: new URLSearchParams({ username: owner.email, password: owner.password }).toString(),
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

async function measure(rows: number, databaseUrl?: string): Promise<Run> {
  const database = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
  console.error(`${database}, ${rows} rows: adding them …`)
  const server = await startSeededServer(rows, databaseUrl)
  let maxMemory: number | undefined
  const sampling = setInterval(() => {
    const now = residentMemory(server.pid)
    if (now !== undefined) maxMemory = Math.max(maxMemory ?? 0, now)
  }, 250)
  try {
    const cases: Run['cases'] = []
    for (const [name, options] of Object.entries(casesFor(server, rows))) {
      const load: Options = { connections: CONNECTIONS, title: name, ...options }
      await measureLoad({ ...load, duration: 1 })
      cases.push({ name, ...(await measureLoad({ ...load, duration: seconds })) })
      console.error(`  ${name}: ${cases.at(-1)?.perSecond.toFixed(0)} a second`)
    }
    const { seedSeconds, startSeconds } = server
    return { database, rows, seedSeconds, startSeconds, maxMemory, cases }
  } finally {
    clearInterval(sampling)
    await server.stop()
  }
}

function tablesOf(runs: Run[]): string {
  const perSecond = (run: Run | undefined, name: string) =>
    run?.cases.find((one) => one.name === name)?.perSecond ?? NaN
  const requests = runs.flatMap((run) => {
    const few = runs.find((other) => other.database === run.database)
    return run.cases.map((one) => [
      run.database,
      run.rows.toLocaleString('en'),
      one.name,
      one.perSecond.toFixed(0),
      String(one.p50),
      String(one.p99),
      one.name.endsWith('page 1') && few !== run
        ? `${(perSecond(few, one.name) / one.perSecond).toFixed(2)} × with ${few?.rows.toLocaleString('en')} rows`
        : one.name.endsWith('deep')
          ? `${(perSecond(run, one.name.replace('deep', 'page 1')) / one.perSecond).toFixed(2)} × page 1`
          : '',
    ])
  })
  const servers = runs.map((run) => [
    run.database,
    run.rows.toLocaleString('en'),
    `${run.seedSeconds.toFixed(0)} s`,
    `${run.startSeconds.toFixed(2)} s`,
    run.maxMemory === undefined ? 'unknown' : `${run.maxMemory.toFixed(0)} MiB`,
  ])
  return [
    tableOf(['Database', 'Rows', 'Request', 'Requests/s', 'p50, ms', 'p99, ms', 'Cost'], requests),
    tableOf(['Database', 'Users, and items', 'Adding them', 'From start to ready', 'Most memory (RSS)'], servers),
  ].join('\n\n')
}

async function main(): Promise<number> {
  const serverUrl = process.env['TEST_DATABASE'] ?? process.env['DATABASE_URL']
  if (flags.postgres && !serverUrl) return runAgainWithPostgres()
  const runs: Run[] = []
  for (const rows of sizes) runs.push(await measure(rows))
  if (flags.postgres && serverUrl) {
    for (const rows of sizes) runs.push(await withDatabase(serverUrl, (url) => measure(rows, url)))
  }
  const where = describeMachine()
  writeJson('bench/results/api.json', { ...where, connections: CONNECTIONS, seconds, runs })
  const facts = `${where.machine}; Node ${where.node}; ${where.date}; ${CONNECTIONS} connections (log-in: 2), ${seconds} s each.`
  const report = `${facts}\n\n${tablesOf(runs)}`
  console.log(report)
  if (flags.write) writeBetweenMarkers('docs/performance.md', 'bench:api', report)
  return 0
}

process.exitCode = await main()
