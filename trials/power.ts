// npm run trial:power -- --seconds 5 --points 300 --seed 1 records every file operation of a server, a backup and a restore.
// It rebuilds the disk as a power cut could leave it at random points, and checks that nothing acknowledged is missing. On
// disks that ignore some syncs, it must find faults. It needs Linux and strace.
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../tests/support/api.ts'
import { ask, type RequestOptions, TRUST_US } from '../tests/support/http.ts'
import { totpCode } from '../tests/support/totp.ts'
import { createRandom } from '../tests/support/random.ts'
import { newDataDir, removeData, startServer, superuser } from '../tests/support/running-server.ts'
import { readNumbers } from './support/arguments.ts'
import { type Operation, readOperations, spawnRecorded } from './support/file-operations.ts'
import { findContradictions, itemsOf, withStore } from './support/ledger.ts'
import { Report } from './support/report.ts'
import { type Ignored, type Leaves, SimulatedDisk } from './support/simulated-disk.ts'

const { seconds, points, writers, seed } = readNumbers({ seconds: 5, points: 300, writers: 8, seed: 1 })
/** Starts the server on one of this many disks, because each start takes seconds. */
const START_ON_EVERY = 40
/** A fifth of the power cuts happen during the last operations, which rename files. */
const LAST = 8
const random = createRandom(seed)
const work = newDataDir()
const main = 'server/cli/main.ts'
const report = new Report(`Power cuts, seed ${seed}`)

/** Runs a server from an empty disk until it stops, while people add items and accounts. @returns the log */
async function recordServer(root: string): Promise<string> {
  const log = join(work, 'server.log')
  const env = {
    ...TRUST_US,
    PORT: '0',
    DATA_DIR: join(root, 'data'),
    LOG_LEVEL: 'fatal',
    FIRST_SUPERUSER: superuser.email,
    FIRST_SUPERUSER_PASSWORD: superuser.password,
  }
  const strace = spawnRecorded(log, [main, 'serve'], env)
  const ended = once(strace, 'exit')
  const lines = createInterface({ input: strace.stdout ?? process.stdin })
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(60_000) })) as [string]
  const ready = /ready at (\S+)/.exec(line) ?? /ready at (\S+)/.exec(((await once(lines, 'line')) as [string])[0])
  const url = `${ready?.[1]}/api/v1`
  const { token } = await Api.ofSuperuser(ready?.[1] ?? '')
  const end = performance.now() + seconds * 1000
  async function write(writer: number): Promise<void> {
    for (let count = 0; performance.now() < end; count += 1) {
      const name = `${writer}x${count}`
      const json =
        writer === 0
          ? { email: `person${name}@example.com`, password: 'correct horse', is_active: true }
          : { title: `item ${name}`, description: 'x'.repeat(random.below(3000)) }
      await ask('POST', `${url}${writer === 0 ? '/users/' : '/items/'}`, { token, json })
      if (writer === 0) await sleep(100)
    }
  }
  await Promise.all([spendRecoveryCodes(url, token), ...Array.from({ length: writers }, (_, writer) => write(writer))])
  const [node] = readFileSync(`/proc/${strace.pid}/task/${strace.pid}/children`, 'utf8').split(' ')
  process.kill(Number(node), 'SIGTERM')
  await ended
  return log
}

async function spendRecoveryCodes(url: string, rootToken: string): Promise<void> {
  const account = { email: 'app@example.com', password: 'correct horse' }
  const post = async <T>(path: string, options: RequestOptions): Promise<T> =>
    JSON.parse((await ask('POST', `${url}${path}`, options)).body) as T
  await post('/users/', { token: rootToken, json: { ...account, is_active: true } })
  const form = { username: account.email, password: account.password }
  const { access_token: token } = await post<{ access_token: string }>('/login/access-token', { form })
  const { secret } = await post<{ secret: string }>('/users/me/totp', { token })
  const json = { code: totpCode(secret, Date.now()) }
  const { recovery_codes } = await post<{ recovery_codes: string[] }>('/users/me/totp/confirm', { token, json })
  for (const code of recovery_codes) {
    const { second_factor } = await post<{ second_factor: { login: string } }>('/login/access-token', { form })
    await post('/login/second-factor', { json: { login: second_factor.login, code } })
  }
}

async function recordCommand(name: 'backup' | 'restore', root: string, file: string): Promise<string> {
  const log = join(work, `${name}.log`)
  const [code] = await once(spawnRecorded(log, [main, name, file], { DATA_DIR: root }), 'exit')
  if (code !== 0) throw new Error(`${name}: exit code ${code}`)
  return log
}

interface Cut {
  folder: string
  leaves: Leaves
  before: Operation[]
}

async function cutPower(
  before: SimulatedDisk,
  operations: readonly Operation[],
  count: number,
  check: (cut: Cut, index: number) => Promise<string[]>,
): Promise<string[]> {
  const at = Array.from({ length: count }, () => {
    const from = random.chance(0.2) ? Math.max(0, operations.length - LAST) : 0
    return from + random.below(operations.length - from + 1)
  }).toSorted((a, b) => a - b)
  const faults: string[] = []
  let done = 0
  for (const [index, position] of at.entries()) {
    for (; done < position; done += 1) before.apply(operations[done] as Operation)
    const leaves = random.pick(['nothing', 'everything', 'a part', 'a part'] as const)
    const folder = mkdtempSync(join(work, 'cut-'))
    before.cut(folder, leaves, random)
    const found = await check({ folder, leaves, before: operations.slice(0, position) }, index).catch(
      (error: Error) => [error.message],
    )
    faults.push(...found.map((fault) => `at ${position} of ${operations.length}, leaving ${leaves}: ${fault}`))
    removeData(folder)
  }
  return faults
}

function acknowledged(operations: readonly Operation[]) {
  const text = operations.map((operation) => (operation.kind === 'send' ? operation.text : '')).join('\n')
  const all = (pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, found = '']) => found)
  return {
    items: all(/"title":"(item \w+)"/g),
    people: all(/"email":"(person\w+@example\.com)"/g),
    hasApp: text.includes('"recovery_codes":['),
    // Two log-ins used no code: that of the superuser, and that of the account before it had the app.
    usedCodes: Math.max(0, all(/"token_type":"(bearer)"/g).length - 2),
  }
}

async function checkServer({ folder, before }: Cut, completeMails: string): Promise<string[]> {
  const dataDir = join(folder, 'data')
  const { items, people, hasApp, usedCodes } = acknowledged(before)
  const outbox = join(dataDir, 'outbox')
  const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : []
  const texts = mails.map((name) => readFileSync(join(outbox, name), 'utf8'))
  const cutMails = mails.filter((name, index) => readFileSync(join(completeMails, name), 'utf8') !== texts[index])
  return withStore(dataDir, async (store) => {
    const contradictions = await findContradictions(store)
    const titles = await itemsOf(store.db).selectFrom('items').select('title').execute()
    const users = await store.db.selectFrom('users').select('email').execute()
    const queued = await store.db.selectFrom('outbox').select('address').execute()
    const apps = await store.db.selectFrom('authenticator_apps').select('id').execute()
    const codes = await store.db.selectFrom('recovery_codes').select('digest').execute()
    const delivered = texts.map((text) => /^To: <?([^>\r\n]+)/m.exec(text)?.[1])
    const told = [...queued.map(({ address }) => address), ...delivered]
    const lost = {
      items: without(
        items,
        titles.map(({ title }) => title),
      ),
      accounts: without(
        people,
        users.map(({ email }) => email),
      ),
      mails: without(people, told),
    }
    return [
      ...contradictions,
      ...Object.entries(lost).flatMap(([what, found]) => someOf(`lost ${what}`, found)),
      ...someOf('incomplete mails', cutMails),
      ...(hasApp && apps.length === 0 ? ['the authenticator app is lost'] : []),
      ...(hasApp && codes.length > 10 - usedCodes ? [`${codes.length} codes are left after ${usedCodes} uses`] : []),
    ]
  })
}

function without(all: readonly string[], found: readonly (string | undefined)[]): string[] {
  const set = new Set(found)
  return all.filter((one) => !set.has(one))
}

function someOf(name: string, found: readonly string[]): string[] {
  return found.length === 0 ? [] : [`${found.length} ${name}, such as ${found[0]}`]
}

async function start(dataDir: string): Promise<string[]> {
  const server = await startServer(dataDir)
  const { status } = await ask('GET', `${server.url}/readyz`)
  await server.stop()
  return status === 200 ? [] : [`/readyz returns ${status}`]
}

async function tryServer(root: string): Promise<void> {
  const operations = await readOperations(await recordServer(root), root)
  const { items, people, usedCodes } = acknowledged(operations)
  const completeMails = join(root, 'data', 'outbox')
  const empty = mkdtempSync(join(work, 'empty-'))
  const replay = (ignored: Ignored, count: number, sample: boolean): Promise<string[]> =>
    cutPower(new SimulatedDisk(root, { content: empty, ignored }), operations, count, async (cut, index) => [
      ...(await checkServer(cut, completeMails)),
      ...(sample && index % START_ON_EVERY === 0 ? await start(join(cut.folder, 'data')) : []),
    ])
  const syncs = operations.filter(({ kind }) => kind === 'sync')
  report.figures({
    'file operations of the server, syncs': `${operations.length}, ${syncs.length}`,
    'acknowledged items, accounts with a mail': `${items.length}, ${people.length}`,
    'acknowledged uses of recovery codes': usedCodes,
    'power cuts': points,
  })
  const faults = await replay('none', points, true)
  report.promises({ 'nothing acknowledged is lost, and database and mails are whole': faults })
  for (const ignored of ['files', 'folders'] as const) {
    const found = await replay(ignored, Math.ceil(points / 4), false)
    report.promises({ [`a disk that does not sync ${ignored} is noticed`]: found.length > 0 ? [] : ['no fault found'] })
  }
}

async function tryBackup(dataDir: string): Promise<string> {
  const root = join(work, 'backups')
  mkdirSync(root)
  const file = join(root, 'backup.db')
  const before = new SimulatedDisk(root)
  const operations = await readOperations(await recordCommand('backup', dataDir, file), root)
  const content = readFileSync(file)
  let complete = 0
  const faults = await cutPower(before, operations, points, async ({ folder }) => {
    const copy = join(folder, 'backup.db')
    if (!existsSync(copy)) return []
    complete += 1
    return readFileSync(copy).equals(content) ? [] : ['the backup is incomplete']
  })
  report.figures({ 'power cuts during a backup, with a backup': `${points}, ${complete}` })
  report.promises({ 'every file that looks like a backup is complete': faults })
  return file
}

function contentOf(folder: string): Promise<string> {
  return withStore(folder, async (store) => {
    const rows = await itemsOf(store.db).selectFrom('items').select('title').orderBy('title').execute()
    return [...(await findContradictions(store)), ...rows.map(({ title }) => title)].join('\n')
  })
}

/** Expects either the old or the new database after each power cut. */
async function tryRestore(dataDir: string, backup: string): Promise<void> {
  await withStore(dataDir, ({ db }) => itemsOf(db).updateTable('items').set({ title: 'changed' }).execute())
  const old = await contentOf(dataDir)
  const before = new SimulatedDisk(dataDir)
  const operations = await readOperations(await recordCommand('restore', dataDir, backup), dataDir)
  const restored = await contentOf(dataDir)
  let replaced = 0
  const faults = await cutPower(before, operations, Math.ceil(points / 2), async ({ folder }) => {
    const found = await contentOf(folder)
    if (found === restored) replaced += 1
    return found === restored || found === old ? [] : ['neither the old nor the new database']
  })
  report.figures({ 'power cuts during a restore, after the replacement': `${Math.ceil(points / 2)}, ${replaced}` })
  report.promises({ 'there is the old database or the restored one': faults })
}

if (process.env['DATABASE_URL']) throw new Error('This trial needs SQLite: unset DATABASE_URL')
try {
  const root = join(work, 'disk')
  mkdirSync(root)
  await tryServer(root)
  const dataDir = join(root, 'data')
  await tryRestore(dataDir, await tryBackup(dataDir))
} finally {
  removeData(work)
}
report.print()
