// npm run bench:soak -- --minutes 5 --write measures the server's memory under mixed load.
import { parseArgs } from 'node:util'
import { Api } from '../tests/support/api.ts'
import { residentMemory } from '../tests/support/measure.ts'
import { describeMachine, publish } from './support/figures.ts'
import { measureLoad, newItem } from './support/load.ts'
import { startSeededServer } from './support/seeded-server.ts'

const ROWS = 10_000
const CONNECTIONS = 10
const SAMPLE_MS = 1_000

const options = { minutes: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } } as const
const { values: flags } = parseArgs({ options })
const minutes = Number(flags.minutes)
if (!(minutes > 0 && minutes <= 60)) throw new Error('--minutes takes a number up to 60')

const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
const server = await startSeededServer(ROWS)
const owner = await Api.logIn(server.url, server.owner)
const { data } = await owner.get<{ data: { id: string }[] }>('/items/?limit=1')
const samples: number[] = []
const sampling = setInterval(() => samples.push(residentMemory(server.pid)), SAMPLE_MS)
try {
  const write = { headers: { ...as(server.owner), 'content-type': 'application/json' } }
  const { perSecond, p99 } = await measureLoad({
    url: server.url,
    connections: CONNECTIONS,
    duration: minutes * 60,
    requests: [
      { path: '/api/v1/users/me', headers: as(server.owner) },
      { path: '/api/v1/items/?skip=0&limit=50', headers: as(server.owner) },
      { path: '/api/v1/items/?skip=5000&limit=50', headers: as(server.superuser) },
      { path: '/api/v1/users/?skip=0&limit=50', headers: as(server.superuser) },
      { method: 'POST', path: '/api/v1/items/', ...write, body: JSON.stringify(newItem) },
      { method: 'PUT', path: `/api/v1/items/${data[0]?.id}`, ...write, body: JSON.stringify({ title: 'Tables' }) },
    ],
  })
  const half = Math.floor(samples.length / 2)
  const most = [samples.slice(0, half), samples.slice(half)].map((some) => `${Math.max(...some).toFixed(0)} MiB`)
  const head = ['Mixed load', 'Requests/s', 'p99, ms', 'Most memory, first half', 'Second half']
  const table = { head, rows: [[`${minutes} min`, perSecond.toFixed(0), String(p99), ...most]] }
  publish('soak', [`${describeMachine()}; ${CONNECTIONS} connections.`, table], flags.write)
} finally {
  clearInterval(sampling)
  await server.stop()
}
