// npm run trial:backup -- --rounds 10 --writers 20 --seed 1
// Backs up the SQLite database under writes, starts a server on the copy, and checks that it has everything that was
// acknowledged before the backup began.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Api } from '../tests/support/api.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { Crowd } from './support/crowd.ts'
import { ask, TRUST_US } from '../tests/support/http.ts'
import { findContradictions, Snapshot, withStore } from './support/ledger.ts'
import { createRandom } from '../tests/support/random.ts'
import { Report, spread } from './support/report.ts'

const { rounds, writers, seed } = readNumbers({ rounds: 10, writers: 20, seed: 1 })
const random = createRandom(seed)
const crowd = new Crowd(writers, random)
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'steward-backup-'))
const dataDir = newFolder()
const times: number[] = []
const lost: string[] = []
const contradictory: string[] = []
const broken: string[] = []
let duringBackups = 0

async function restore(file: string, known: ReadonlyMap<object, number>): Promise<void> {
  const restored = newFolder()
  copyFileSync(file, join(restored, 'steward.db'))
  const server = await startServer(restored, TRUST_US)
  try {
    if ((await ask('GET', `${server.url}/readyz`)).status !== 200) broken.push('not ready')
    await Api.ofSuperuser(server.url).catch((error: unknown) => broken.push(String(error)))
    await withStore(restored, async (store) => {
      contradictory.push(...(await findContradictions(store)))
      // The first server's folder has the mails that were delivered before.
      const snapshot = await Snapshot.read(store, dataDir)
      for (const person of crowd.people) {
        const possible = [
          ...person.history.slice(known.get(person) ?? 0),
          ...(person.underWay ? [person.underWay] : []),
        ]
        const matches = await Promise.all(possible.map((state) => snapshot.holds(person, state)))
        if (!matches.includes(true)) lost.push(`${person.email} has a state that it never had since the backup began`)
      }
    })
  } finally {
    await server.stop()
    removeData(restored)
  }
}

if (process.env['DATABASE_URL']) throw new Error('This trial needs SQLite: unset DATABASE_URL')
const server = await startServer(dataDir, TRUST_US)
try {
  for (let round = 0; round < rounds; round += 1) {
    const file = join(dataDir, `backup-${round}.db`)
    let enough = false
    const writing = crowd.write(server.url, () => enough)
    await sleep(random.between(300, 1500))
    const known = new Map(crowd.people.map((person) => [person, person.history.length - 1]))
    const before = crowd.acknowledged
    const begun = performance.now()
    const env = { ...process.env, DATA_DIR: dataDir }
    await promisify(execFile)(process.execPath, ['server/cli/main.ts', 'backup', file], { env })
    times.push(performance.now() - begun)
    duringBackups += crowd.acknowledged - before
    enough = true
    await writing
    await restore(file, known)
  }
} finally {
  await server.stop()
  removeData(dataDir)
}

const report = new Report(`Backup under load, seed ${seed}`)
report.figure('rounds', rounds)
report.figure('acknowledged writes', crowd.acknowledged)
report.figure('acknowledged writes during backups', duringBackups)
report.figure('duration of the backup command', spread(times))
report.promise('the copy has all that was acknowledged before the backup began', lost)
report.promise('its tables agree', contradictory)
report.promise('a server starts on it, and the superuser can log in', broken)
report.promise(
  'every response is 200',
  crowd.people.flatMap(({ faults }) => faults),
)
report.print()
