// npm run bench:api measures requests with few rows and with a million. Options, after `--`: `--postgres` uses PostgreSQL
// (DATABASE_URL or a temporary server) instead of SQLite, `--quick` measures fewer rows, and `--write` saves the results.
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { quantile, residentMemory, watchPeaks } from '../tests/support/measure.ts'
import { describeMachine, publish } from './support/figures.ts'
import { toCells, type Load, logInsTo, measureInTurns, measureLoad } from './support/load.ts'
import { runOnDatabase } from './support/postgres.ts'
import { type SeededServer, startSeededServer } from './support/seeded-server.ts'

const PAGE = 50
const CONNECTIONS = 10
const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { quick: flag, postgres: flag, write: flag } })
const FEW = 1_000
const MANY = flags.quick ? 20_000 : 1_000_000
const rounds = { rounds: flags.quick ? 3 : 5, seconds: 1 }

const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

/** The requests to measure, by name. "Deep" is the middle of the list: page 10,000 of a million rows. */
function casesFor(server: SeededServer, rows: number): Record<string, Options> {
  const { url, superuser, owner } = server
  const read = (path: string, person: { token: string }): Options => ({
    url: `${url}/api/v1${path}`,
    headers: as(person),
    connections: CONNECTIONS,
  })
  const first = `?skip=0&limit=${PAGE}`
  const deep = `?skip=${rows / 2 - PAGE}&limit=${PAGE}`
  return {
    // Each log-in hashes on a core of its own, so more than two would wait for each other.
    'log-in': logInsTo(server, 2),
    'own account': read('/users/me', owner),
    'own items, page 1': read(`/items/${first}`, owner),
    'own items, deep': read(`/items/${deep}`, owner),
    'all items, page 1': read(`/items/${first}`, superuser),
    'all items, deep': read(`/items/${deep}`, superuser),
    'users, page 1': read(`/users/${first}`, superuser),
    'users, deep': read(`/users/${deep}`, superuser),
  }
}

const listPaths = [
  '/users/?q=schneider',
  '/users/?q=anna.schneider',
  '/users/?q=example',
  '/users/?q=e',
  '/users/?role=superuser',
  '/users/?role=user',
  '/users/?status=active',
  '/users/?status=inactive',
  '/users/?status=invited',
  '/users/?idle_days=30',
  '/users/?idle_days=365',
  '/users/?sort=created_at',
  '/users/?sort=email',
  '/users/?sort=-email',
  '/users/?sort=full_name',
  '/users/?sort=-full_name',
  '/users/?sort=last_active_at',
  '/users/?sort=-last_active_at',
  '/users/?skip=499950',
  '/items/?q=repair%20wooden%20chair',
  '/items/?q=e',
  '/items/?sort=title',
  '/items/?sort=-title',
  '/items/?skip=499950',
  '/users/me/overview',
]

const times = ({ p50, p99 }: Pick<Load, 'p50' | 'p99'>): string =>
  [p50, p99].map((value) => value.toFixed(value < 10 ? 1 : 0)).join(' / ')

/** Measures the requests of a superuser while the server is idle. @returns times, and the number of matches */
async function measureList({ url, superuser }: SeededServer, path: string): Promise<[times: string, count: string]> {
  const all: number[] = []
  let body: { count?: number } = {}
  for (let round = 0; round <= 40; round += 1) {
    const start = performance.now()
    const page = path.includes('?') ? `${path}&limit=${PAGE}` : path
    body = (await (await fetch(`${url}/api/v1${page}`, { headers: as(superuser) })).json()) as typeof body
    if (round > 0) all.push(performance.now() - start)
  }
  return [times({ p50: quantile(all, 0.5), p99: quantile(all, 0.99) }), body.count?.toLocaleString('en') ?? '']
}

async function measureBesideSearch({ url, superuser }: SeededServer): Promise<string> {
  const headers = as(superuser)
  const over = new AbortController()
  async function search(): Promise<void> {
    while (!over.signal.aborted) await (await fetch(`${url}/api/v1/users/?q=e`, { headers })).arrayBuffer()
  }
  const searching = search()
  const { p50, p99 } = await measureLoad({ url: `${url}/api/v1/users/me`, headers, connections: 1, duration: 10 })
  over.abort()
  await searching
  return `${p50} / ${p99}`
}

async function measureExport({ url, superuser }: SeededServer): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${url}/api/v1/users/export`, { headers: as(superuser) })
  for await (const part of response.body ?? []) void part
  return (performance.now() - start) / 1000
}

const cost = (slower: Load, faster: Load): string => `${(faster.perSecond / slower.perSecond).toFixed(2)} ×`

/** Alternates between the servers, so that other load on the machine affects both. */
async function measureCases(few: SeededServer, many: SeededServer): Promise<string[][]> {
  const ofMany = casesFor(many, MANY)
  const rows: string[][] = []
  let firstPage: Load | undefined
  for (const [name, options] of Object.entries(casesFor(few, FEW))) {
    const loads = { few: () => options, many: () => ofMany[name] ?? options }
    const { few: one, many: other } = await measureInTurns(name, loads, rounds)
    const isDeep = name.endsWith('deep')
    const againstFirst = isDeep && firstPage ? cost(other, firstPage) : ''
    rows.push([name, ...toCells(one), ...toCells(other), cost(other, one), againstFirst])
    if (!isDeep) firstPage = other
  }
  return rows
}

const count = (of: number): string => of.toLocaleString('en')

async function measure(database: string, few: SeededServer, many: SeededServer): Promise<void> {
  const lists: string[][] = []
  for (const path of listPaths)
    lists.push([`\`${path}\``, (await measureList(few, path))[0], ...(await measureList(many, path)).toReversed()])
  const beside = [await measureBesideSearch(few), '', await measureBesideSearch(many)]
  lists.push(['own account, while somebody searches for `e`', ...beside])
  const exported = `An export of all users took ${(await measureExport(few)).toFixed(1)} s for ${count(FEW)} and ${(await measureExport(many)).toFixed(0)} s for ${count(MANY)}. The server had ${residentMemory(many.pid).toFixed(0)} MiB after it.`
  const peaks = watchPeaks(() => [residentMemory(few.pid), residentMemory(many.pid)])
  const cases = await measureCases(few, many)
  const [ofFew = 0, ofMany = 0] = peaks()
  const facts = ([rows, server, peak]: [number, SeededServer, number]) => [
    count(rows),
    `${server.seedSeconds.toFixed(0)} s`,
    `${server.startSeconds.toFixed(2)} s`,
    `${peak.toFixed(0)} MiB`,
  ]
  const head = ['Request', `Requests/s, ${count(FEW)} rows`, 'p50 / p99, ms', `Requests/s, ${count(MANY)} rows`]
  const paragraphs = [
    `${database}; ${describeMachine()}. ${CONNECTIONS} connections (log-in: 2), the median of ${rounds.rounds} rounds of ${rounds.seconds} s.`,
    { head: [...head, 'p50 / p99, ms', `Cost against ${count(FEW)} rows`, 'Against page 1'], rows: cases },
    'What people ask of a list, one after the other: the median and the 99th of 100, in milliseconds, of 40 answers.',
    { head: ['List', `${count(FEW)} rows`, `Matches of ${count(MANY)}`, `${count(MANY)} rows`], rows: lists },
    exported,
    {
      head: ['Users, and items', 'Adding them', 'From start to ready', 'Most memory (RSS)'],
      rows: [facts([FEW, few, ofFew]), facts([MANY, many, ofMany])],
    },
  ]
  publish(`api-${database.toLowerCase()}`, paragraphs, flags.write && !flags.quick)
}

async function bench(database: string): Promise<void> {
  console.error(`${database}: adding ${FEW} and ${MANY} users and items …`)
  const few = await startSeededServer(FEW)
  try {
    const many = await startSeededServer(MANY)
    try {
      await measure(database, few, many)
    } finally {
      await many.stop()
    }
  } finally {
    await few.stop()
  }
}

await runOnDatabase(flags.postgres, bench)
