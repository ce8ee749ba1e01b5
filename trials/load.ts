// npm run trial:load -- --logIns 500 --sockets 500 --left 100000 measures list requests and memory during bursts of
// log-ins, with slow clients, and with clients that disconnect early.
import { residentMemory, watchPeaks } from '../tests/support/measure.ts'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { removeData, startServer, superuser } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { addressOf, ask, TRUST_US } from '../tests/support/http.ts'
import { Report, spread } from './support/report.ts'

const { logIns, sockets, left } = readNumbers({ logIns: 500, sockets: 500, left: 100_000 })
const MAX_RSS_MB = 400
const LIST_WITHIN_MS = 2_000
/** The 30 s in which the server expects a complete request, the interval of its checks and a margin. */
const CUT_WITHIN_MS = 40_000

const server = await startServer(undefined, TRUST_US)
const { port } = new URL(server.url)
const { token } = await Api.ofSuperuser(server.url)
const report = new Report('Storms and slow clients')

async function meanwhile<T>(name: string, work: () => Promise<T>): Promise<T> {
  const times: number[] = []
  const faults: string[] = []
  const reading = { over: false }
  const peaks = watchPeaks(() => [residentMemory(server.process.pid)], 50)
  async function readList(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!reading.over) {
      try {
        const { status, body, ms } = await ask('GET', `${server.url}/api/v1/items/?limit=50`, { token, agent })
        times.push(ms)
        if (status !== 200) faults.push(`${status} ${body}`)
        if (ms > LIST_WITHIN_MS) faults.push(`${Math.round(ms)} ms`)
      } catch (error) {
        faults.push(String(error))
      }
      await sleep(20)
    }
    agent.destroy()
  }
  const readers = Promise.all(Array.from({ length: 4 }, readList))
  await sleep(500)
  const result = await work()
  await sleep(500)
  reading.over = true
  await readers
  const peak = Math.round(peaks()[0] ?? 0)
  report.figures({ [`${name}: response times of lists`]: spread(times), '  peak memory': `${peak} MB` })
  report.promises({
    [`  every list takes less than ${LIST_WITHIN_MS} ms`]: faults,
    [`  memory stays below ${MAX_RSS_MB} MB`]: peak < MAX_RSS_MB ? [] : [`${peak} MB`],
  })
  return result
}

function tally(answers: readonly { status: number }[]): string {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, n]) => `${status}: ${n}`).join(', ')
}

/** Sends pieces with pauses. @returns the connection, and what it has received when it is closed */
function drip(pieces: Iterable<string>, pauseMs: number) {
  const socket = connect(Number(port), '127.0.0.1')
  const begun = performance.now()
  let said = ''
  socket.on('data', (chunk) => (said += chunk.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise<{ ms: number; said: string }>((resolve) => {
    socket.once('close', () => resolve({ ms: performance.now() - begun, said }))
  })
  const iterator = pieces[Symbol.iterator]()
  const timer = setInterval(() => {
    const { value, done } = iterator.next()
    if (!done && socket.writable) socket.write(value)
  }, pauseMs)
  void closed.then(() => clearInterval(timer))
  return { socket, closed }
}

function* endlessHeader(): Generator<string> {
  yield 'GET /api/v1/items/ HTTP/1.1\r\nHost: x\r\nX-Slow: '
  for (;;) yield 'x'
}

function* endlessBody(): Generator<string> {
  yield 'POST /api/v1/users/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n'
  for (;;) yield ' '
}

async function stormOfLogIns(): Promise<void> {
  const form = { username: superuser.email, password: superuser.password }
  const agent = new Agent({ maxSockets: Infinity })
  const answers = await meanwhile(`${logIns} log-ins at once`, () =>
    Promise.all(
      Array.from({ length: logIns }, (_, index) =>
        ask('POST', `${server.url}/api/v1/login/access-token`, { form, agent, from: addressOf(index) }),
      ),
    ),
  )
  report.figures({
    '  responses': tally(answers),
    '  duration of accepted log-ins': spread(answers.filter(({ status }) => status === 200).map(({ ms }) => ms)),
  })
  const wrong = answers.filter(({ status, headers }) => status !== 200 && !(status === 503 && headers['retry-after']))
  report.promises({ '  200, or 503 with Retry-After': wrong.map(({ status, body }) => `${status} ${body}`) })
}

async function slowSockets(name: string, pieces: () => Iterable<string>): Promise<void> {
  const ends = await meanwhile(`${sockets} ${name}`, async () => {
    const slow = Array.from({ length: sockets }, () => drip(pieces(), 1_000))
    const late = sleep(CUT_WITHIN_MS).then(() => 'late' as const)
    const result = await Promise.race([Promise.all(slow.map(({ closed }) => closed)), late])
    for (const { socket } of slow) socket.destroy()
    return result
  })
  const cutWithin = `  disconnected with 408 within ${CUT_WITHIN_MS / 1000} s`
  if (ends === 'late') return report.promises({ [cutWithin]: ['still connected'] })
  report.figures({ '  disconnected after': spread(ends.map(({ ms }) => ms)) })
  const wrong = ends.filter(({ said }) => !said.startsWith('HTTP/1.1 408'))
  report.promises({ [cutWithin]: wrong.map(({ said }) => said.slice(0, 40)) })
}

async function flood(name: string, expected: number, head: string, piece: string): Promise<void> {
  const ends = await meanwhile(`${sockets} ${name}`, async () => {
    const floods = Array.from({ length: sockets }, () => {
      const { socket, closed } = drip([], 1_000)
      socket.write(head)
      for (let sent = 0; sent < 1024; sent += 64) socket.write(piece.repeat(64))
      return closed
    })
    return Promise.race([Promise.all(floods), sleep(CUT_WITHIN_MS).then(() => [])])
  })
  report.figures({ '  responses': tally(ends.map(({ said }) => ({ status: Number(said.slice(9, 12)) }))) })
  // A client that continues to write may get a reset instead of the response.
  const wrong = ends.filter(({ said }) => said !== '' && !said.startsWith(`HTTP/1.1 ${expected}`))
  const late = ends.length === sockets ? [] : ['some are still connected']
  report.promises({ [`  ${expected}, or disconnected`]: [...wrong.map(({ said }) => said.slice(0, 40)), ...late] })
}

async function idleConnections(): Promise<void> {
  const number = sockets * 4
  const answered = await meanwhile(`${number} idle connections`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity })
    const answers = await Promise.all(
      Array.from({ length: number }, () => ask('GET', `${server.url}/livez`, { agent })),
    )
    await sleep(5_000)
    agent.destroy()
    return answers
  })
  const refused = answered.filter(({ status }) => status !== 200)
  report.promises({ '  each gets a response': refused.map(({ status }) => String(status)) })
}

/** Closes connections at most 4 ms after requests for lists, and at most 12 ms after those for exports. */
async function disconnectEarly(): Promise<void> {
  const lists = ['/users/', '/items/', '/items/?q=item', '/users/?sort=email', '/users/me/overview', '/audit/']
  const exports = ['/users/export', '/items/export', '/audit/export']
  const root = await Api.ofSuperuser(server.url)
  for (let index = 0; index < 300; index += 1) await root.createItem(`Item ${index}`, 'x'.repeat(5_000))
  const people: Api[] = []
  for (let number = 0; number < 5; number += 1)
    people.push(await Api.logIn(server.url, await root.createUser({ isSuperuser: true })))
  async function leave(index: number, paths: readonly string[], longestMs: number): Promise<void> {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `Host: x\r\nAuthorization: Bearer ${people[index % people.length]?.token}\r\n\r\n`
    socket.resume().write(`GET /api/v1${paths[index % paths.length]} HTTP/1.1\r\n${head}`)
    await sleep(Math.random() * longestMs)
    socket.destroy()
    if (!socket.closed) await once(socket, 'close')
  }
  let base = 0
  await meanwhile(`${left} requests that are left`, async () => {
    for (let done = 0; done < left; done += 32) {
      await Promise.all(Array.from({ length: 32 }, (_, index) => leave(done + index, [...lists, '/events'], 4)))
      if (base === 0 && done > 40_000) base = residentMemory(server.process.pid)
    }
    for (let index = 0; index < left / 200; index += 1) await leave(index, exports, 12)
    await sleep(2_000)
  })
  const growth = base === 0 ? 0 : Math.round(residentMemory(server.process.pid) - base)
  const refused: string[] = []
  for (const path of [...lists, ...exports]) {
    const { status } = await ask('GET', `${server.url}/api/v1${path}`, { token: root.token })
    if (status !== 200) refused.push(`${path}: ${status}`)
  }
  report.promises({
    '  memory grows by at most 25 MB after 40,000': growth > 25 ? [`it grew by ${growth} MB`] : [],
    '  lists and exports are served afterwards': refused,
  })
}

try {
  await disconnectEarly()
  await stormOfLogIns()
  await idleConnections()
  await flood('floods of headers', 431, 'GET / HTTP/1.1\r\nHost: x\r\n', `X-Flood: ${'x'.repeat(1000)}\r\n`)
  const bodyHead = 'POST /api/v1/users/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  await flood('bodies of 1 MB', 413, `${bodyHead}Content-Length: 1048576\r\n\r\n`, 'x'.repeat(1024))
  await slowSockets('headers a byte at a time', endlessHeader)
  await slowSockets('bodies a byte at a time', endlessBody)
} finally {
  await server.stop()
  removeData(server.dataDir)
}
report.print()
