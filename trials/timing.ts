// npm run trial:timing [-- PAIRS] checks that response times do not show which addresses have an account. It compares
// log-in and recovery requests for known and unknown addresses, in random order, by rank. AUC is how often the known
// address took longer, and 0.5 without a difference. By chance alone it is between 0.45 and 0.55 for 300 pairs in 29 of
// 30 runs.
import { medianOf } from '../tests/support/measure.ts'
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'

const PAIRS = Number(process.argv[2] ?? 300)
const WARM_UP = 20
const [LOWEST, HIGHEST] = [0.45, 0.55]
const MAX_WAIT_MS = 120_000

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let askers = 0

/** @returns milliseconds until the complete response */
function timeOf(url: string, body: string): Promise<number> {
  askers += 1
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    // A new address each time avoids the limits.
    'x-forwarded-for': `10.${askers >> 16}.${(askers >> 8) & 255}.${askers & 255}`,
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const begun = performance.now()
  request(url, { method: 'POST', agent, headers }, (response) => {
    const expected = url.includes('/login/') ? 400 : 200
    response.resume().on('end', () => {
      if (response.statusCode === expected) resolve(performance.now() - begun)
      else reject(new Error(`${url.replace(/[^/]*$/, '…')} responded with ${response.statusCode}`))
    })
  })
    .on('error', reject)
    .end(body)
  return promise
}

type Probe = (address: string) => Promise<number>

async function compare(name: string, known: string[], probe: Probe): Promise<boolean> {
  const unknown = known.map((address) => address.replace('known', 'other'))
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (const [index, address] of known.entries()) {
    const pair = [['known', address] as const, ['unknown', unknown[index] ?? ''] as const]
    if (randomInt(2) === 1) pair.reverse()
    for (const [kind, whose] of pair) {
      const time = await probe(whose)
      if (index >= WARM_UP) times[kind].push(time)
    }
  }
  const score = rankAuc(times.known, times.unknown)
  const even = score >= LOWEST && score <= HIGHEST
  const medians = `median ${medianOf(times.known).toFixed(2)} ms known, ${medianOf(times.unknown).toFixed(2)} ms unknown`
  console.log(`${even ? '✓' : '✗'} ${name}: AUC ${score.toFixed(3)} over ${times.known.length} pairs (${medians})`)
  return even
}

/** The share of pairs in which the first is larger; equal ones count half (Mann-Whitney U, divided by its maximum). */
function rankAuc(first: number[], second: number[]): number {
  let wins = 0
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0
  return wins / (first.length * second.length)
}

/** Waits until the mails about the new accounts are sent, which would affect the times. */
async function outboxSettles(folder: string, mails: number): Promise<void> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += 500) {
    if (readdirSync(folder).length >= mails) return
    await sleep(500)
  }
  throw new Error('The mails about the new accounts were not sent')
}

process.env['TRUSTED_PROXIES'] = '127.0.0.1'
const server = await startServer()
try {
  const root = await Api.ofSuperuser(server.url)
  const known: string[] = []
  for (let i = 0; i < PAIRS + WARM_UP; i += 1) {
    known.push((await root.createUser({ email: `known-${String(i).padStart(5, '0')}@example.com` })).email)
  }
  await outboxSettles(join(server.dataDir, 'outbox'), known.length)

  const api = `${server.url}/api/v1`
  const logIn: Probe = (address) =>
    timeOf(`${api}/login/access-token`, new URLSearchParams({ username: address, password: 'a wrong one' }).toString())
  const recover: Probe = (address) => timeOf(`${api}/password-recovery/${encodeURIComponent(address)}`, '')
  const even = [await compare('log-in', known, logIn), await compare('recovery', known, recover)]
  process.exitCode = even.includes(false) ? 1 : 0
} finally {
  agent.destroy()
  await server.stop()
  removeData(server.dataDir)
}
