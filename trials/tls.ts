// npm run trial:tls tests each `sslmode` of docs/deploy.md on a PostgreSQL with TLS and one without.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../scripts/throw-away-postgres.ts'
import { withClient } from '../tests/support/database.ts'
import { spawnServer } from '../tests/support/running-server.ts'
import { createAuthority } from './support/certificates.ts'
import { Report } from './support/report.ts'

const PASSWORD = 'a-secret-in-the-url'
const REFUSED = /(^|\n)The (database cannot be used|file \S+ cannot be opened): [^\n]+\n$/

const report = new Report('TLS to PostgreSQL')
const folder = mkdtempSync(join(tmpdir(), 'steward-tls-'))
const ours = createAuthority(folder, 'ours')
const other = createAuthority(folder, 'other')
const secure = await startPostgres({ identity: ours.identify('localhost') })
const plain = await startPostgres().catch(async (error: unknown) => {
  await secure.remove()
  throw error
})

async function isEncrypted({ url }: Postgres): Promise<boolean[]> {
  const query = `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'steward'`
  const { rows } = await withClient(url, (client) => client.query<{ ssl: boolean }>(query))
  return rows.map(({ ssl }) => ssl)
}

interface Start {
  name: string
  query: string
  /** Whether connections must be encrypted, or `refused` if the server must not start. */
  expected: boolean | 'refused'
  on?: Postgres
  /** The host in the URL. `127.1` is this machine, but is not in the certificate. */
  place?: string
  /** Whether pg warns that `sslmode` means `verify-full`. */
  warns?: boolean
  settings?: Record<string, string>
}

async function start(given: Start): Promise<void> {
  const { name, query, expected, on = secure, place = 'localhost', warns, settings } = given
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
  if (code !== (isReady ? 0 : 1)) faults.push(`exit code ${code}`)
  if (!isReady && !REFUSED.test(said)) faults.push(`it prints: ${said}`)
  if (said.includes(PASSWORD)) faults.push('it prints the password')
  if (said.includes("aliases for 'verify-full'") !== (warns ?? false))
    faults.push(`${warns ? 'no' : 'unexpected'} warning: ${said}`)
  report.promises({ [name]: faults })
  if (expected === 'refused') report.figures({ '  it prints': said.trim().split('\n').at(-1) ?? '' })
}

const ca = `&sslrootcert=${ours.file}`
const otherCa = `&sslrootcert=${other.file}`
const known = { NODE_EXTRA_CA_CERTS: ours.file }
const starts: Start[] = [
  { name: 'no sslmode', query: '', expected: false },
  { name: 'disable', query: '?sslmode=disable', expected: false },
  { name: 'verify-full, CA in a file', query: `?sslmode=verify-full${ca}`, expected: true },
  { name: 'verify-full, CA that Node knows', query: '?sslmode=verify-full', expected: true, settings: known },
  { name: 'verify-full, unknown CA', query: '?sslmode=verify-full', expected: 'refused' },
  { name: 'verify-full, another CA', query: `?sslmode=verify-full${otherCa}`, expected: 'refused' },
  { name: 'verify-full, another host name', query: `?sslmode=verify-full${ca}`, place: '127.1', expected: 'refused' },
  { name: 'verify-full, an IP address', query: `?sslmode=verify-full${ca}`, place: '127.0.0.1', expected: 'refused' },
  { name: 'verify-full, missing CA file', query: '?sslmode=verify-full&sslrootcert=/none.pem', expected: 'refused' },
  { name: 'verify-full, server without TLS', query: `?sslmode=verify-full${ca}`, on: plain, expected: 'refused' },
  { name: 'require', query: `?sslmode=require${ca}`, expected: true, warns: true },
  { name: 'require, another CA', query: `?sslmode=require${otherCa}`, expected: 'refused', warns: true },
  { name: 'require, server without TLS', query: '?sslmode=require', on: plain, expected: 'refused', warns: true },
  { name: 'require as in libpq, unknown CA', query: '?uselibpqcompat=true&sslmode=require', expected: true },
  { name: 'no-verify, unknown CA', query: '?sslmode=no-verify', expected: true },
]

try {
  for (const one of starts) await start(one)
} finally {
  await secure.remove()
  await plain.remove()
  rmSync(folder, { recursive: true, force: true })
}
report.print()
