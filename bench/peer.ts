// npm run bench:peer -- --quick --write compares this server with PocketBase, both on SQLite. Building PocketBase needs Go.
import { parseArgs } from 'node:util'
import type { Options } from 'autocannon'
import { watchPeaks } from '../tests/support/measure.ts'
import { describeMachine, publish } from './support/figures.ts'
import { toCells, creationsBy, logInsTo, measureInTurns, newItem } from './support/load.ts'
import { buildPeer, PEER_VERSION, type Peer, startPeer } from './support/peer.ts'
import { type SeededServer, startSeededServer, totalMemory } from './support/seeded-server.ts'

const ITEMS = 1_000
const WRITERS = 64

const flag = { type: 'boolean', default: false } as const
const { values: flags } = parseArgs({ options: { quick: flag, write: flag } })
const rounds = flags.quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 3 }
const json = { 'content-type': 'application/json' }

type Case = Record<'Steward' | 'PocketBase', () => Options>

async function casesFor(own: SeededServer, peer: Peer): Promise<Record<string, Case>> {
  const records = `${peer.url}/api/collections/items/records`
  const creations = async (connections: number): Promise<Case> => ({
    Steward: await creationsBy(own, connections),
    PocketBase: () => {
      const accounts = [...peer.accounts]
      return {
        url: records,
        method: 'POST',
        connections,
        setupClient: (client) => {
          const { id, token } = accounts.pop() ?? peer.owner
          client.setHeadersAndBody({ ...json, authorization: token }, JSON.stringify({ ...newItem, owner: id }))
        },
      }
    },
  })
  return {
    'page of 50 own items, 10 readers': {
      Steward: () => ({
        url: `${own.url}/api/v1/items/?skip=0&limit=50`,
        headers: { authorization: `Bearer ${own.owner.token}` },
        connections: 10,
      }),
      PocketBase: () => ({
        url: `${records}?page=1&perPage=50&sort=-created`,
        headers: { authorization: peer.owner.token },
        connections: 10,
      }),
    },
    'creating an item, 1 writer': await creations(1),
    'creating an item, 8 writers': await creations(8),
    [`creating an item, ${WRITERS} writers`]: await creations(WRITERS),
    'log-in, 2 at a time': {
      Steward: () => logInsTo(own, 2),
      PocketBase: () => ({
        url: `${peer.url}/api/collections/users/auth-with-password`,
        method: 'POST',
        headers: json,
        requests: peer.accounts.map((_account, index) => ({ body: JSON.stringify(peer.logIn(index)) })),
        connections: 2,
      }),
    },
  }
}

const mib = (values: number[]): string[] => values.map((value) => `${value.toFixed(0)} MiB`)

async function bench(own: SeededServer, peer: Peer): Promise<void> {
  const started = [own.memoryAfterStart, peer.memoryAfterStart]
  const peaks = watchPeaks(() => [totalMemory(own.pid), totalMemory(peer.pid)])
  const rows: string[][] = []
  for (const [name, one] of Object.entries(await casesFor(own, peer))) {
    const { Steward: ours, PocketBase: theirs } = await measureInTurns(name, one, rounds)
    const ratio = `${(ours.perSecond / theirs.perSecond).toFixed(2)} ×`
    rows.push([name, ...toCells(ours), ...toCells(theirs), ratio])
  }
  const head = ['Request', 'Steward, requests/s', 'p50 / p99, ms', 'PocketBase, requests/s', 'p50 / p99, ms', 'Ratio']
  const intro = `PocketBase ${PEER_VERSION}; ${describeMachine()}. The median of ${rounds.rounds} rounds of ${rounds.seconds} s, in turns.`
  const memory = [
    ['after the start', ...mib(started)],
    ['most under this load', ...mib(peaks())],
  ]
  const tables = [
    { head, rows },
    { head: ['Memory (RSS)', 'Steward', 'PocketBase'], rows: memory },
  ]
  publish('peer', [intro, ...tables], flags.write && !flags.quick)
}

const program = buildPeer()
if (program === undefined)
  throw new Error('This benchmark builds PocketBase, which needs Go: https://go.dev/doc/install')
const own = await startSeededServer(ITEMS)
try {
  const peer = await startPeer(program, { people: WRITERS, items: ITEMS })
  try {
    await bench(own, peer)
  } finally {
    await peer.stop()
  }
} finally {
  await own.stop()
}
