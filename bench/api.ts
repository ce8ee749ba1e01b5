// npm run bench:api measures requests with few rows and with a million, on SQLite.
// `--postgres`: in new databases on the PostgreSQL server of DATABASE_URL, or else on a temporary server.
// `--quick`: fewer rows, shorter runs. `--write`: updates the tables in docs/performance.md.
import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { type Load, measureLoad, medianLoad } from './support/load.ts'
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

/** The requests to measure, by name. "Deep" is the middle of the list, such as page 10,000 of a million rows. */
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
      // More would wait for each other, as hashing takes a core each.
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

/** Typical list requests, sent one at a time. */
const asked = [
  ['/users/', 'q=schneider'],
  ['/users/', 'q=anna.schneider'],
  ['/users/', 'q=example'],
  ['/users/', 'q=e'],
  ['/users/', 'role=superuser'],
  ['/users/', 'role=user'],
  ['/users/', 'status=active'],
  ['/users/', 'status=inactive'],
  ['/users/', 'status=invited'],
  ['/users/', 'idle_days=30'],
  ['/users/', 'idle_days=365'],
  ['/users/', 'sort=created_at'],
  ['/users/', 'sort=email'],
  ['/users/', 'sort=-email'],
  ['/users/', 'sort=full_name'],
  ['/users/', 'sort=-full_name'],
  ['/users/', 'sort=last_active_at'],
  ['/users/', 'sort=-last_active_at'],
  ['/users/', 'skip=499950'],
  ['/items/', 'q=repair%20wooden%20chair'],
  ['/items/', 'q=e'],
  ['/items/', 'sort=title'],
  ['/items/', 'sort=-title'],
  ['/items/', 'skip=499950'],
] as const

/** @returns the last answer to a superuser, and the response time without other load, in milliseconds */
async function measureOne<Body>({ url, superuser: { token } }: SeededServer, path: string) {
  const headers = { authorization: `Bearer ${token}` }
  const times: number[] = []
  let body: Body | undefined
  // The first round is a warm-up.
  for (let round = 0; round <= 40; round += 1) {
    const start = performance.now()
    body = (await (await fetch(`${url}/api/v1${path}`, { headers })).json()) as Body
    if (round > 0) times.push(performance.now() - start)
  }
  return { body, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** @returns the number of matches of each list request, and its response time; at the end, that of the dashboard */
async function measureLists(server: SeededServer) {
  const results: { path: string; count: number | undefined; p50: number; p99: number }[] = []
  for (const [list, query] of asked) {
    const { body, ...times } = await measureOne<{ count: number }>(server, `${list}?limit=${PAGE}&${query}`)
    results.push({ path: `${list}?${query}`, count: body?.count, ...times })
  }
  const { body: _, ...times } = await measureOne(server, '/users/me/overview')
  return [...results, { path: '/users/me/overview', count: undefined, ...times }]
}

/** Measures requests for the own account while another client repeats a search for one letter. */
async function measureBesideSearch({ url, superuser: { token } }: SeededServer) {
  const headers = { authorization: `Bearer ${token}` }
  const over = new AbortController()
  async function search(): Promise<void> {
    while (!over.signal.aborted) await (await fetch(`${url}/api/v1/users/?q=e`, { headers })).arrayBuffer()
  }
  const searching = search()
  const own = await measureLoad({ url: `${url}/api/v1/users/me`, headers, connections: 1, duration: 10 })
  over.abort()
  await searching
  return own
}

/** @returns the seconds that an export of all users takes */
async function measureExport({ url, superuser: { token } }: SeededServer): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${url}/api/v1/users/export`, { headers: { authorization: `Bearer ${token}` } })
  for await (const part of response.body ?? []) void part
  return (performance.now() - start) / 1000
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN
}

/** The servers take turns, so that other load on the machine affects both. Each result is the median round. */
async function measureCases(few: SeededServer, many: SeededServer) {
  const ofMany = casesFor(many, MANY)
  const results: { name: string; few: Load; many: Load }[] = []
  for (const [name, options] of Object.entries(casesFor(few, FEW))) {
    const rounds: { few: Load; many: Load }[] = []
    const measure = (load: Options) =>
      measureLoad({ connections: CONNECTIONS, title: name, ...load, duration: SECONDS })
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      rounds.push({ few: await measure(options), many: await measure(ofMany[name] ?? options) })
    }
    rounds.shift()
    results.push({
      name,
      few: medianLoad(rounds.map((round) => round.few)),
      many: medianLoad(rounds.map((round) => round.many)),
    })
    const { few: one, many: other } = results.at(-1) ?? {}
    console.error(`  ${name}: ${one?.perSecond.toFixed(0)} and ${other?.perSecond.toFixed(0)} a second`)
  }
  return results
}

/** Samples the servers' memory while `work` runs. @returns the peak of each, in MiB */
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
      const lists = { few: await measureLists(few), many: await measureLists(many) }
      const beside = { few: await measureBesideSearch(few), many: await measureBesideSearch(many) }
      const exports = { few: await measureExport(few), many: await measureExport(many) }
      const afterExports = residentMemory(many.pid)
      const memory = await watchMemory([few, many], async () => {
        cases = await measureCases(few, many)
      })
      report(database, { cases, lists, beside, exports, afterExports }, [
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

const ms = (value: number | undefined): string => value?.toFixed(value < 10 ? 1 : 0) ?? ''

const times = (slower: Load | undefined, faster: Load | undefined): string =>
  slower && faster ? `${(faster.perSecond / slower.perSecond).toFixed(2)} ×` : ''

interface Both<T> {
  few: T
  many: T
}

function report(
  database: string,
  measured: {
    cases: ({ name: string } & Both<Load>)[]
    lists: Both<Awaited<ReturnType<typeof measureLists>>>
    beside: Both<Load>
    exports: Both<number>
    afterExports: number | undefined
  },
  servers: { rows: number; server: SeededServer; memory: number | undefined }[],
): void {
  const { cases, lists, beside, exports, afterExports } = measured
  const listRows = lists.many.map(({ path, count: found, p50, p99 }, index) => {
    const one = lists.few[index]
    return [
      `\`${path}\``,
      `${ms(one?.p50)} / ${ms(one?.p99)}`,
      found === undefined ? '' : count(found),
      `${ms(p50)} / ${ms(p99)}`,
    ]
  })
  listRows.push([
    'own account, while somebody searches for `e`',
    `${beside.few.p50} / ${beside.few.p99}`,
    '',
    `${beside.many.p50} / ${beside.many.p99}`,
  ])
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
    'What people ask of a list, one after the other: the median and the 99th of 100, in milliseconds, of 40 answers.',
    tableOf(['List', `${count(FEW)} rows`, `Matches of ${count(MANY)}`, `${count(MANY)} rows`], listRows),
    `An export of all users took ${exports.few.toFixed(1)} s for ${count(FEW)} and ${exports.many.toFixed(0)} s for ${count(MANY)}. The server had ${afterExports?.toFixed(0) ?? '?'} MiB after it.`,
    tableOf(['Users, and items', 'Adding them', 'From start to ready', 'Most memory (RSS)'], facts),
  ].join('\n\n')
  console.log(text)
  const name = `bench:api ${database}`
  writeJson(`bench/results/api-${database.toLowerCase()}.json`, { ...where, ...measured, servers: facts })
  if (flags.write && !flags.quick) writeBetweenMarkers('docs/performance.md', name, text)
}

const serverUrl = process.env['TEST_DATABASE'] ?? process.env['DATABASE_URL']
if (!flags.postgres) await bench('SQLite', [undefined, undefined])
else if (!serverUrl) process.exitCode = runAgainWithPostgres()
else await withDatabase(serverUrl, (few) => withDatabase(serverUrl, (many) => bench('PostgreSQL', [few, many])))
