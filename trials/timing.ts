// npm run trial:timing [-- PAIRS] checks that response times do not reveal which addresses have an account. AUC is the
// share of pairs in which the known address took longer: 0.5 without a difference, and 0.45 to 0.55 by chance in 29 of 30
// runs of 300 pairs.
import { medianOf } from '../tests/support/measure.ts'
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { addressOf, ask, TRUST_US } from '../tests/support/http.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'

const PAIRS = Number(process.argv[2] ?? 300)
const WARM_UP = 20
const [LOWEST, HIGHEST] = [0.45, 0.55]
const MAX_WAIT_MS = 120_000

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let clientAddresses = 0

async function timeOf(url: string, expected: number, form?: Record<string, string>): Promise<number> {
  // Each request comes from another network address, because the server limits requests per address.
  clientAddresses += 1
  const { status, ms } = await ask('POST', url, { agent, from: addressOf(clientAddresses), ...(form && { form }) })
  if (status !== expected) throw new Error(`${url.replace(/[^/]*$/, '…')} responded with ${status}`)
  return ms
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

/** Mann-Whitney U, divided by its maximum: the share of pairs in which the first is larger. Equal ones count half. */
function rankAuc(first: number[], second: number[]): number {
  let wins = 0
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0
  return wins / (first.length * second.length)
}

/** Waits until the mails about the new accounts are sent, because sending would affect the times. */
async function waitForMails(folder: string, mails: number): Promise<void> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += 500) {
    if (readdirSync(folder).length >= mails) return
    await sleep(500)
  }
  throw new Error('The mails about the new accounts were not sent')
}

const server = await startServer(undefined, TRUST_US)
try {
  const root = await Api.ofSuperuser(server.url)
  const known: string[] = []
  for (let i = 0; i < PAIRS + WARM_UP; i += 1) {
    known.push((await root.createUser({ email: `known-${String(i).padStart(5, '0')}@example.com` })).email)
  }
  await waitForMails(join(server.dataDir, 'outbox'), known.length)

  const api = `${server.url}/api/v1`
  const logIn: Probe = (address) =>
    timeOf(`${api}/login/access-token`, 400, { username: address, password: 'a wrong one' })
  const recover: Probe = (address) => timeOf(`${api}/password-recovery/${encodeURIComponent(address)}`, 200)
  const even = [await compare('log-in', known, logIn), await compare('recovery', known, recover)]
  process.exitCode = even.includes(false) ? 1 : 0
} finally {
  agent.destroy()
  await server.stop()
  removeData(server.dataDir)
}
