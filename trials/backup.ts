// npm run trial:backup -- --rounds 10 --writers 20 --kills 50 --seed 1 backs up SQLite under writes, and checks that each
// backup contains everything that was acknowledged before it began. Then it makes backups and restores fail.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Api } from '../tests/support/api.ts'
import { newDataDir, removeData, startServer } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { Crowd } from './support/crowd.ts'
import { ask, TRUST_US } from '../tests/support/http.ts'
import { findContradictions, Snapshot, withStore } from './support/ledger.ts'
import { createRandom } from '../tests/support/random.ts'
import { Report, spread } from './support/report.ts'

const { rounds, writers, kills, seed } = readNumbers({ rounds: 10, writers: 20, kills: 50, seed: 1 })
/** A server checks once a minute whether a backup is due. */
const BY_ITSELF_WITHIN_MS = 75_000
const PAGE_BYTES = 4096
const random = createRandom(seed)
const crowd = new Crowd(writers, random)
const dataDir = newDataDir()
const lost: string[] = []
const contradictory: string[] = []
const broken: string[] = []

interface Outcome {
  code: number
  said: string
}

async function run(program: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { env: { ...process.env, ...env } })
    return { code: 0, said: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, said: stdout + stderr }
  }
}

function command(name: 'backup' | 'restore', file: string, folder = dataDir): Promise<Outcome> {
  return run(process.execPath, ['server/cli/main.ts', name, file], { DATA_DIR: folder })
}

const progress = () => new Map(crowd.people.map((person) => [person, person.history.length - 1]))

/** Restores a backup into an empty folder and checks it. @param known what it must contain at least */
async function tryBackup(file: string, known: ReturnType<typeof progress>): Promise<void> {
  const restored = newDataDir()
  const { code, said } = await command('restore', file, restored)
  if (code !== 0) broken.push(said)
  // Checks before a server starts, which would deliver the queued mails.
  await withStore(restored, async (store) => {
    contradictory.push(...(await findContradictions(store)))
    // The folder of the first server has the mails that were delivered before.
    const snapshot = await Snapshot.read(store, dataDir)
    for (const person of crowd.people) {
      const possible = [...person.history.slice(known.get(person) ?? 0), ...(person.underWay ? [person.underWay] : [])]
      const matches = await Promise.all(possible.map((state) => snapshot.holds(person, state)))
      if (!matches.includes(true)) lost.push(`${person.email} has a state that it never had since the backup began`)
    }
  })
  const server = await startServer(restored, TRUST_US)
  if ((await ask('GET', `${server.url}/readyz`)).status !== 200) broken.push('not ready')
  await Api.ofSuperuser(server.url).catch((error: unknown) => broken.push(String(error)))
  await server.stop()
  removeData(restored)
}

async function byCommand(): Promise<void> {
  const times: number[] = []
  let duringBackups = 0
  const server = await startServer(dataDir, TRUST_US)
  for (let round = 0; round < rounds; round += 1) {
    const file = join(dataDir, `backup-${round}.db`)
    let enough = false
    const writing = crowd.write(server.url, () => enough)
    await sleep(random.between(300, 1500))
    const known = progress()
    const before = crowd.acknowledged
    const begun = performance.now()
    const { code, said } = await command('backup', file)
    if (code !== 0) broken.push(said)
    times.push(performance.now() - begun)
    duringBackups += crowd.acknowledged - before
    enough = true
    await writing
    await tryBackup(file, known)
  }
  const whileServing = await command('restore', join(dataDir, 'backup-0.db'))
  await server.stop()
  report.figures({
    'backups by command': rounds,
    'acknowledged writes': crowd.acknowledged,
    'acknowledged writes during backups': duringBackups,
    'duration of the backup command': spread(times),
  })
  report.promises({ 'a restore is refused while a server runs': unlessRefused(whileServing, /in use/) })
}

async function byItself(): Promise<void> {
  const folder = join(dataDir, 'backups')
  const servers = [1, 2].map(() => startServer(dataDir, { ...TRUST_US, BACKUP_DIR: folder }))
  const [server, ...others] = await Promise.all(servers)
  let enough = false
  const writing = crowd.write(server?.url ?? '', () => enough)
  let known = progress()
  for (const begun = performance.now(); performance.now() - begun < BY_ITSELF_WITHIN_MS; await sleep(100)) {
    if (!existsSync(folder)) known = progress()
  }
  enough = true
  await writing
  for (const one of [server, ...others]) await one?.stop()
  const made = readdirSync(folder)
  const [file = ''] = made
  report.promises({ 'one of two servers makes an automatic backup': made.length === 1 ? [] : made })
  await tryBackup(join(folder, file), known)
}

const unlessRefused = ({ code, said }: Outcome, reason: RegExp): string[] =>
  code === 1 && reason.test(said) ? [] : [`exit ${code}: ${said}`]

const unlessSaid = ({ said }: Outcome, ...words: string[]): string[] =>
  words.every((word) => said.includes(word)) ? [] : [said]

function onSmallDisk(kilobytes: number, script: string): Promise<Outcome> {
  const mount = `mount -t tmpfs -o size=${kilobytes}k tmpfs "$1" && `
  const main = join(process.cwd(), 'server/cli/main.ts')
  const args = ['--mount', '--map-root-user', 'sh', '-c', mount + script, 'sh', newDataDir(), main]
  return run('unshare', args, { DATA_DIR: dataDir, NODE: process.execPath })
}

async function fullDisk(backup: string): Promise<void> {
  const size = Math.ceil(readFileSync(backup).length / 1024)
  const copied = await onSmallDisk(size - 100, '"$NODE" "$2" backup "$1/copy.db"; echo "exit $?"; ls "$1"')
  const list = copied.said.split('\n').filter((line) => line.endsWith('.db'))
  report.promises({
    'a backup onto a full disk fails and leaves no file': [...unlessSaid(copied, 'exit 1', 'full'), ...list],
  })
  const restored = await onSmallDisk(
    2 * size - 100,
    `cp "${backup}" "$1/steward.db" && DATA_DIR="$1" "$NODE" "$2" restore "${backup}"
    echo "exit $?"; ls "$1"; cmp "${backup}" "$1/steward.db" && echo same`,
  )
  report.promises({
    'a restore onto a full disk fails and keeps the database': [
      ...unlessSaid(restored, 'exit 1', 'full', 'same'),
      ...restored.said.split('\n').filter((line) => /before|unfinished|restored$/.test(line)),
    ],
  })
}

async function damaged(backup: string): Promise<void> {
  const folder = newDataDir()
  copyFileSync(backup, join(folder, 'steward.db'))
  const bytes = readFileSync(backup)
  const pages = bytes.length / PAGE_BYTES
  const file = join(folder, 'damaged.db')
  const faults: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    writeFileSync(file, bytes)
    if (round % 2 === 0) truncateSync(file, random.below(bytes.length))
    else writeFileSync(file, Buffer.from(bytes).fill(0xa5, random.below(pages) * PAGE_BYTES))
    faults.push(...unlessRefused(await command('restore', file, folder), /is damaged|is no backup/))
    if (!readFileSync(join(folder, 'steward.db')).equals(bytes)) faults.push('the database was changed')
  }
  removeData(folder)
  report.promises({ 'a damaged file is rejected and the database kept': faults })
}

async function killed(): Promise<void> {
  const folder = newDataDir()
  const plan = { folder, everyMs: 0, keep: 1000 }
  for (let round = 0; round < kills; round += 1) {
    // The name of a backup is the second of its creation, so each round passes another time.
    const args = [join(dataDir, 'steward.db'), plan, Date.UTC(2026, 0, 1) + round * 1000]
    const making = spawn(process.execPath, ['server/operation/backup-process.ts', JSON.stringify(args)], {
      stdio: 'ignore',
    })
    const over = once(making, 'exit')
    await sleep(random.between(100, 400))
    making.kill('SIGKILL')
    await over
  }
  const whole = readdirSync(folder).filter((name) => name.endsWith('.db'))
  const faults: string[] = []
  for (const name of whole) {
    const elsewhere = newDataDir()
    const { code, said } = await command('restore', join(folder, name), elsewhere)
    if (code !== 0) faults.push(said)
    removeData(elsewhere)
  }
  removeData(folder)
  report.figures({ 'killed backups, finished before': `${kills}, ${whole.length}` })
  report.promises({ 'every file that looks like a backup is complete': faults })
}

if (process.env['DATABASE_URL']) throw new Error('This trial needs SQLite: unset DATABASE_URL')
const report = new Report(`Backup and restore, seed ${seed}`)
try {
  await byCommand()
  await byItself()
  const backup = join(dataDir, 'backup-0.db')
  await fullDisk(backup)
  await damaged(backup)
  await killed()
} finally {
  removeData(dataDir)
}
report.promises({
  'a backup has all that was acknowledged before it began': lost,
  'its tables agree': contradictory,
  'it can be restored, a server starts on it, and the superuser can log in': broken,
  'every response is 200': crowd.faults,
})
report.print()
