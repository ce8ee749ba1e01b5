// npm run trial:leave -- --requests 100000 --exports 540
// Closes connections in the middle of requests of every kind. Afterwards everything is served, memory has not grown, and
// the server stops soon. TEST_DATABASE, as of scripts/with-postgres.ts, makes it use PostgreSQL.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { ask } from '../tests/support/http.ts'
import { residentMemory } from '../tests/support/measure.ts'
import { createRandom } from '../tests/support/random.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { Report } from './support/report.ts'

const { requests, exports, seed } = readNumbers({ requests: 100_000, exports: 540, seed: 1 })
const PEOPLE = 5
const PARALLEL = 32
const MAX_GROWTH_MB = 25
const STOPS_WITHIN_MS = 5_000

const random = createRandom(seed)
const server = await startServer()
const { port } = new URL(server.url)
const report = new Report('People who leave in the middle')
const root = await Api.ofSuperuser(server.url)
const people: string[] = []
for (let index = 0; index < PEOPLE; index += 1) {
  const person = await root.createUser({ isSuperuser: true })
  people.push((await Api.logIn(server.url, person)).token)
}
for (let index = 0; index < 300; index += 1) await root.createItem(`Item ${index}`, 'x'.repeat(5_000))

const lists = [
  '/users/',
  '/items/?limit=100',
  '/items/?q=item',
  '/users/?sort=email',
  '/users/me/overview',
  '/audit/',
  '/events',
]

/** Sends a request and closes its connection after some milliseconds. */
async function leave(path: string, longestMs: number): Promise<void> {
  const token = random.pick(people)
  const socket = connect(Number(port), new URL(server.url).hostname)
  socket.on('error', () => undefined)
  socket.resume().write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await sleep(random.next() * longestMs)
  socket.destroy()
  if (!socket.closed) await once(socket, 'close')
}

async function leaveOften(count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while ((left -= 1) >= 0) await leave(lists[left % lists.length] ?? '', 4)
    }),
  )
}

const memory = (): number => Math.round(residentMemory(server.process.pid))

const marks: string[] = []
let base = 0
for (let done = 0; done < requests;) {
  const next = Math.min(20_000, requests - done)
  await leaveOften(next)
  done += next
  await sleep(2_000)
  marks.push(`${memory()} MB after ${done}`)
  if (done === 40_000) base = memory()
}
report.figure('memory', marks.join(', '))
const growth = base === 0 ? 0 : memory() - base
report.promise(
  `memory grows by at most ${MAX_GROWTH_MB} MB after 40,000 requests`,
  growth > MAX_GROWTH_MB ? [`it grew by ${growth} MB`] : [],
)

const paths = ['/users/export', '/items/export', '/audit/export']
const ended = [...paths, '/events']
for (let index = 0; index < exports; index += 1) await leave(paths[index % paths.length] ?? '', 12)
const refused: string[] = []
for (const path of ['/items/', '/items/?q=item', '/users/?sort=email', ...paths]) {
  const { status, body } = await ask('GET', `${server.url}/api/v1${path}`, { token: root.token })
  if (status !== 200) refused.push(`${path}: ${status} ${body}`)
}
report.promise('lists and exports are served afterwards', refused)

const stopping = performance.now()
const underway = ended.map((path) => leave(path, 10_000))
await sleep(50)
const code = await server.stop()
const ms = Math.round(performance.now() - stopping)
report.figure('the stop took', `${ms} ms`)
report.promise('the server stops in time', ms > STOPS_WITHIN_MS || code !== 0 ? [`${ms} ms, exit code ${code}`] : [])
await Promise.all(underway)
removeData(server.dataDir)
report.print()
