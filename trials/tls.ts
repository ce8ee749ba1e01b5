// npm run trial:tls
// A PostgreSQL that speaks TLS, one that does not, and what each `sslmode` of docs/deploy.md makes of them.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Postgres, startPostgres } from '../scripts/throw-away-postgres.ts'
import { spawnServer } from '../tests/support/running-server.ts'
import { createAuthority } from './support/certificates.ts'
import { Report } from './support/report.ts'

const PASSWORD = 'a-secret-in-the-url'
/** A sentence, and nothing behind it. */
const REFUSED = /(^|\n)The (database cannot be used|file \S+ cannot be read): [^\n]+\n$/

const report = new Report('TLS to PostgreSQL')
const folder = mkdtempSync(join(tmpdir(), 'steward-tls-'))
const ours = createAuthority(folder, 'ours')
const other = createAuthority(folder, 'other')
const secure = await startPostgres(ours.identify('localhost'))
const plain = await startPostgres().catch(async (error: unknown) => {
  await secure.remove()
  throw error
})

/** Whether the server's connections are encrypted, as PostgreSQL sees them. */
async function isEncrypted({ url }: Postgres): Promise<boolean[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const query = `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'steward'`
    return (await client.query<{ ssl: boolean }>(query)).rows.map(({ ssl }) => ssl)
  } finally {
    await client.end()
  }
}

interface Start {
  name: string
  /** What its URL ends in. */
  query: string
  /** Whether its connections should be encrypted; `refused` where it should not start at all. */
  expected: boolean | 'refused'
  on?: Postgres
  /** `127.1` is this machine, too, by a name that the certificate does not have. */
  place?: string
  /** That `sslmode` does not mean what it seems to. */
  warns?: boolean
  settings?: Record<string, string>
}

async function start({
  name,
  query,
  expected,
  on = secure,
  place = 'localhost',
  warns,
  settings,
}: Start): Promise<void> {
  const { username, port } = new URL(on.url)
  const url = `postgres://${username}:${PASSWORD}@${place}:${port}/postgres${query}`
  const server = spawnServer({ PORT: '0', DATA_DIR: folder, DATABASE_URL: url, ...settings })
  const gone = once(server.process, 'close') as Promise<[number | null]>
  const isReady = (await server.ready) !== undefined
  const found = isReady ? (await isEncrypted(on)).join(' and ') : 'refused'
  server.process.kill('SIGTERM')
  const [code] = await gone
  const said = server.output()
  const faults: string[] = []
  if (found !== String(expected)) faults.push(`encrypted: ${found}; ${said}`)
  if (code !== (isReady ? 0 : 1)) faults.push(`it left with code ${code}`)
  if (!isReady && !REFUSED.test(said)) faults.push(`it said: ${said}`)
  if (said.includes(PASSWORD)) faults.push('it said the password')
  if (said.includes("aliases for 'verify-full'") !== (warns ?? false)) faults.push(`warned or not: ${said}`)
  report.promise(name, faults)
  if (expected === 'refused') report.figure('  it says', said.trim().split('\n').at(-1) ?? '')
}

const ca = `&sslrootcert=${ours.file}`
const otherCa = `&sslrootcert=${other.file}`
const known = { NODE_EXTRA_CA_CERTS: ours.file }
const starts: Start[] = [
  { name: 'nothing', query: '', expected: false },
  { name: 'disable', query: '?sslmode=disable', expected: false },
  { name: 'verify-full, by the authority in the file', query: `?sslmode=verify-full${ca}`, expected: true },
  { name: 'verify-full, by one that Node knows', query: '?sslmode=verify-full', expected: true, settings: known },
  { name: 'verify-full, by nobody known', query: '?sslmode=verify-full', expected: 'refused' },
  { name: 'verify-full, by another authority', query: `?sslmode=verify-full${otherCa}`, expected: 'refused' },
  { name: 'verify-full, of another name', query: `?sslmode=verify-full${ca}`, place: '127.1', expected: 'refused' },
  { name: 'verify-full, of an address', query: `?sslmode=verify-full${ca}`, place: '127.0.0.1', expected: 'refused' },
  { name: 'verify-full, no such file', query: '?sslmode=verify-full&sslrootcert=/none.pem', expected: 'refused' },
  { name: 'verify-full, no TLS there', query: `?sslmode=verify-full${ca}`, on: plain, expected: 'refused' },
  { name: 'require', query: `?sslmode=require${ca}`, expected: true, warns: true },
  { name: 'require, by another authority', query: `?sslmode=require${otherCa}`, expected: 'refused', warns: true },
  { name: 'require, no TLS there', query: '?sslmode=require', on: plain, expected: 'refused', warns: true },
  { name: 'require as libpq has it, by nobody known', query: '?uselibpqcompat=true&sslmode=require', expected: true },
  { name: 'no-verify, by nobody known', query: '?sslmode=no-verify', expected: true },
]

try {
  for (const one of starts) await start(one)
} finally {
  await secure.remove()
  await plain.remove()
  rmSync(folder, { recursive: true, force: true })
}
report.print()
