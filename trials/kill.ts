// npm run trial:kill -- --rounds 100 --writers 20 --seed 1 kills the server at random moments under writes, and checks that
// every acknowledged change is complete. It uses SQLite, or the empty PostgreSQL of DATABASE_URL.
import { setTimeout as sleep } from 'node:timers/promises'
import { issueChallenge } from '../server/sign-in/challenges.ts'
import type { Store } from '../server/platform/database/store.ts'
import { newDataDir, removeData, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { Crowd } from './support/crowd.ts'
import { TRUST_US } from '../tests/support/http.ts'
import { findContradictions, settle, withStore } from './support/ledger.ts'
import { createRandom } from '../tests/support/random.ts'
import { Report, spread } from './support/report.ts'

const READY_WITHIN_MS = 2_000

const { rounds, writers, seed } = readNumbers({ rounds: 100, writers: 20, seed: 1 })
const random = createRandom(seed)
const crowd = new Crowd(writers, random)
const dataDir = newDataDir()
const restarts: number[] = []
const lost: string[] = []
const contradictory: string[] = []
let unanswered = 0

/** Inserts reset links into the database, because the limit on recovery mails allows too few. */
async function handOutResetLinks(store: Store): Promise<void> {
  for (const person of crowd.members) {
    if (person.state.resetToken !== null) continue
    const token = await store.transaction((tx) =>
      issueChallenge({ now: Date.now, tx }, 'password-reset', person.id, null),
    )
    person.settle({ ...person.state, resetToken: token })
  }
}

try {
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now()
    const server = await startServer(dataDir, TRUST_US)
    if (round > 0) restarts.push(performance.now() - begun)
    unanswered += crowd.people.filter(({ underWay }) => underWay).length
    await withStore(dataDir, async (store) => {
      lost.push(...(await settle(crowd.people, store, dataDir)))
      contradictory.push(...(await findContradictions(store)))
      await handOutResetLinks(store)
    })
    if (round === rounds) {
      await server.stop()
      break
    }
    let killed = false
    const writing = crowd.write(server.url, () => killed)
    await sleep(random.between(100, 900))
    await server.stop('SIGKILL')
    killed = true
    await writing
  }
} finally {
  removeData(dataDir)
}

const database = process.env['DATABASE_URL'] === undefined ? 'SQLite' : 'PostgreSQL'
const report = new Report(`kill -9 on ${database}, seed ${seed}`)
report.figures({
  rounds,
  'acknowledged writes': crowd.acknowledged,
  accounts: crowd.people.length,
  'requests without a response': unanswered,
  'from start to ready': spread(restarts),
})
const late = restarts.filter((ms) => ms > READY_WITHIN_MS).map((ms) => `${Math.round(ms)} ms`)
report.promises({
  'every acknowledged change is there, and none is partial': lost,
  'the tables agree': contradictory,
  'every response is 200': crowd.faults,
  [`ready within ${READY_WITHIN_MS} ms`]: late,
})
report.print()
