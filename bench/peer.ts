// npm run bench:peer measures this server and PocketBase side by side, both on SQLite. It needs Go, to build PocketBase.
// `--write`: updates the table in docs/performance.md.
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { Api } from '../tests/support/api.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/figures.ts'
import { type Load, measureLoad, medianLoad } from './support/load.ts'
import { describeMachine } from './support/machine.ts'
import { buildPeer, PEER_VERSION, type Peer, startPeer } from './support/peer.ts'
import { type SeededServer, startSeededServer } from './support/seeded-server.ts'
import { totalMemory } from './support/total-memory.ts'

const ITEMS = 1_000
const WRITERS = 64
const ROUNDS = 5
const SECONDS = 3

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } })

const json = { 'content-type': 'application/json' }
const item = { title: 'Count the chairs', description: 'In every room' }

/** The same request for both servers. */
interface Case {
  name: string
  own: () => Options
  peer: () => Options
}

interface Result {
  name: string
  own: Load
  peer: Load
}

async function casesFor(own: SeededServer, peer: Peer): Promise<Case[]> {
  const tokens: string[] = []
  for (const person of own.people.slice(0, WRITERS)) tokens.push((await Api.logIn(own.url, person)).token)
  const creations = (connections: number): Case => ({
    name: `creating an item, ${connections} ${connections === 1 ? 'writer' : 'writers'}`,
    own: () => ({
      url: `${own.url}/api/v1/items/`,
      method: 'POST',
      body: JSON.stringify(item),
      connections,
      setupClient: forEach(tokens, (client, token) => client.setHeaders({ ...json, authorization: `Bearer ${token}` })),
    }),
    peer: () => ({
      url: `${peer.url}/api/collections/items/records`,
      method: 'POST',
      connections,
      setupClient: forEach(peer.accounts, (client, { id, token }) =>
        client.setHeadersAndBody({ ...json, authorization: token }, JSON.stringify({ ...item, owner: id })),
      ),
    }),
  })
  return [
    {
      name: 'page of 50 own items, 10 readers',
      own: () => ({
        url: `${own.url}/api/v1/items/?skip=0&limit=50`,
        headers: { authorization: `Bearer ${own.owner.token}` },
        connections: 10,
      }),
      peer: () => ({
        url: `${peer.url}/api/collections/items/records?page=1&perPage=50&sort=-created`,
        headers: { authorization: peer.owner.token },
        connections: 10,
      }),
    },
    creations(1),
    creations(8),
    creations(WRITERS),
    {
      name: 'log-in, 2 at a time',
      own: () => ({
        url: `${own.url}/api/v1/login/access-token`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        requests: own.people.map(({ email, password }) => ({
          body: new URLSearchParams({ username: email, password }).toString(),
        })),
        connections: 2,
      }),
      peer: () => ({
        url: `${peer.url}/api/collections/users/auth-with-password`,
        method: 'POST',
        headers: json,
        requests: peer.accounts.map((_account, index) => ({ body: JSON.stringify(peer.logIn(index)) })),
        connections: 2,
      }),
    },
  ]
}

type SetupClient = NonNullable<Options['setupClient']>
type Client = Parameters<SetupClient>[0]

/** Each connection gets a value of its own. */
function forEach<T>(values: readonly T[], setup: (client: Client, value: T) => void): SetupClient {
  const left = [...values]
  return (client) => {
    const value = left.pop()
    if (value !== undefined) setup(client, value)
  }
}

/** The servers take turns. Each result is the median round, and the first round is a warm-up. */
async function measure({ name, own, peer }: Case): Promise<Result> {
  const rounds: { own: Load; peer: Load }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({
      own: await measureLoad({ title: name, ...own(), duration: SECONDS }),
      peer: await measureLoad({ title: name, ...peer(), duration: SECONDS }),
    })
  }
  rounds.shift()
  const result = {
    name,
    own: medianLoad(rounds.map((round) => round.own)),
    peer: medianLoad(rounds.map((round) => round.peer)),
  }
  console.error(`  ${name}: ${result.own.perSecond.toFixed(0)} and ${result.peer.perSecond.toFixed(0)} a second`)
  return result
}

interface Memory {
  own: number
  peer: number
}

const cells = ({ perSecond, p50, p99 }: Load): string[] => [perSecond.toFixed(0), `${p50} / ${p99}`]
const mib = (value: number): string => `${value.toFixed(0)} MiB`

function report(results: Result[], started: Memory, most: Memory): void {
  const rows = results.map(({ name, own, peer }) => [
    name,
    ...cells(own),
    ...cells(peer),
    `${(own.perSecond / peer.perSecond).toFixed(2)} ×`,
  ])
  const head = ['Request', 'Steward, requests/s', 'p50 / p99, ms', 'PocketBase, requests/s', 'p50 / p99, ms', 'Ratio']
  const memory = [
    ['after the start', mib(started.own), mib(started.peer)],
    ['most under this load', mib(most.own), mib(most.peer)],
  ]
  const where = describeMachine()
  const text = [
    `PocketBase ${PEER_VERSION}; ${where.machine}; Node ${where.node}; ${where.date}. The median of ${ROUNDS} rounds of ${SECONDS} s, in turns.`,
    tableOf(head, rows),
    tableOf(['Memory (RSS)', 'Steward', 'PocketBase'], memory),
  ].join('\n\n')
  console.log(text)
  writeJson('bench/results/peer.json', { ...where, results, started, most })
  if (flags.write) writeBetweenMarkers('docs/performance.md', 'bench:peer', text)
}

async function bench(program: string): Promise<void> {
  const own = await startSeededServer(ITEMS, undefined)
  try {
    const peer = await startPeer(program, { people: WRITERS, items: ITEMS })
    try {
      const started = { own: own.memoryAfterStart, peer: peer.memoryAfterStart }
      const most = { ...started }
      const watch = setInterval(() => {
        most.own = Math.max(most.own, totalMemory(own.pid))
        most.peer = Math.max(most.peer, totalMemory(peer.pid))
      }, 250)
      const results: Result[] = []
      for (const one of await casesFor(own, peer)) results.push(await measure(one))
      clearInterval(watch)
      report(results, started, most)
    } finally {
      await peer.stop()
    }
  } finally {
    await own.stop()
  }
}

const program = buildPeer()
if (program === undefined) {
  console.error('This benchmark builds PocketBase, which needs Go: https://go.dev/doc/install')
  process.exitCode = 1
} else {
  await bench(program)
}
