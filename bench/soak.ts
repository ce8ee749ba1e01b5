// npm run bench:soak measures the server's memory under mixed load for five minutes (`--minutes N`).
import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import { measureLoad } from './support/load.ts'
import { Api } from '../tests/support/api.ts'
import { residentMemory } from '../tests/support/measure.ts'
import { describeMachine } from './support/machine.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/figures.ts'
import { startSeededServer } from './support/seeded-server.ts'

const ROWS = 10_000
const CONNECTIONS = 10
const SAMPLE_MS = 1_000
/** The share of samples to skip: memory grows until caches are full and code is compiled. */
const WARM_UP = 0.4

const options = { minutes: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } } as const
const { values: flags } = parseArgs({ options })
const minutes = Number(flags.minutes)
if (!(minutes > 0 && minutes <= 60)) throw new Error('--minutes takes a number up to 60')

interface Sample {
  minute: number
  mib: number
}

const mean = (values: number[]): number => values.reduce((all, value) => all + value, 0) / values.length

/** The slope of a linear regression over the samples, in MiB a minute. */
function slopeOf(samples: Sample[]): number {
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ mib }) => mib))]
  const along = samples.reduce((all, { minute, mib }) => all + (minute - x) * (mib - y), 0)
  return along / samples.reduce((all, { minute }) => all + (minute - x) ** 2, 0)
}

const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

const server = await startSeededServer(ROWS, undefined)
const owner = await Api.logIn(server.url, server.owner)
const { data } = await owner.get<{ data: { id: string }[] }>('/items/?limit=1')
const samples: Sample[] = []
const begin = performance.now()
const sampling = setInterval(() => {
  const mib = residentMemory(server.pid)
  if (mib !== undefined) samples.push({ minute: (performance.now() - begin) / 60_000, mib })
}, SAMPLE_MS)
try {
  const json = { 'content-type': 'application/json' }
  const load = await measureLoad({
    url: server.url,
    connections: CONNECTIONS,
    duration: minutes * 60,
    requests: [
      { path: '/api/v1/users/me', headers: as(server.owner) },
      { path: '/api/v1/items/?skip=0&limit=50', headers: as(server.owner) },
      { path: '/api/v1/items/?skip=5000&limit=50', headers: as(server.superuser) },
      { path: '/api/v1/users/?skip=0&limit=50', headers: as(server.superuser) },
      {
        method: 'POST',
        path: '/api/v1/items/',
        headers: { ...as(server.owner), ...json },
        body: JSON.stringify({ title: 'Count the chairs', description: 'In every room' }),
      },
      {
        method: 'PUT',
        path: `/api/v1/items/${data[0]?.id}`,
        headers: { ...as(server.owner), ...json },
        body: JSON.stringify({ title: 'Count the tables' }),
      },
    ],
  })
  const settled = samples.slice(Math.floor(samples.length * WARM_UP))
  if (settled.length < 2) throw new Error('This system does not report the memory of a process')
  const half = Math.floor(samples.length / 2)
  const mostOf = (some: Sample[]) => `${Math.max(...some.map(({ mib }) => mib)).toFixed(0)} MiB`
  const slope = slopeOf(settled)
  const where = describeMachine()
  writeJson('bench/results/soak.json', { ...where, minutes, load, slope, samples })
  const row = [
    `${minutes} min`,
    load.perSecond.toFixed(0),
    String(load.p99),
    mostOf(samples.slice(0, half)),
    mostOf(samples.slice(half)),
    `${slope.toFixed(2)} MiB a minute`,
  ]
  const head = ['Mixed load', 'Requests/s', 'p99, ms', 'Most memory, first half', 'Second half', 'Slope']
  const report = `${where.machine}; Node ${where.node}; ${where.date}; ${CONNECTIONS} connections.\n\n${tableOf(head, [row])}`
  console.log(report)
  if (flags.write) writeBetweenMarkers('docs/performance.md', 'bench:soak', report)
} finally {
  clearInterval(sampling)
  await server.stop()
}
