// npm run trial:database
// Makes the database of a server in use unavailable in several ways, and then available again.
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { buildApp } from '../server/app.ts'
import { ensureFirstSuperuser } from '../server/operator/rules.ts'
import { readConfig } from '../server/platform/config.ts'
import { openConfiguredStore, sqliteFile } from '../server/platform/database/open.ts'
import type { Postgres } from '../scripts/throw-away-postgres.ts'
import { newDataDir, removeData, startServer, superuser } from '../tests/support/running-server.ts'
import { Report } from './support/report.ts'
import { type TcpProxy, withServerBehindProxy } from './support/tcp-proxy.ts'
import { endure, type Fault } from './support/watch.ts'

const report = new Report('Database failures')

/** PostgreSQL has a process for each connection. */
function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const member of [pid, ...children.filter((text) => text !== '').map(Number)]) process.kill(member, signal)
}

async function tryPostgres(url: string, proxy: TcpProxy, postgres: Postgres): Promise<void> {
  const faults: Fault[] = [
    {
      name: 'PostgreSQL crashes',
      forMs: 5_000,
      begin: () => postgres.halt('SIGQUIT'),
      mend: () => postgres.restart(),
    },
    {
      name: 'PostgreSQL hangs',
      forMs: 20_000,
      begin: () => signalTree(postgres.pid, 'SIGSTOP'),
      mend: () => signalTree(postgres.pid, 'SIGCONT'),
    },
    { name: 'the network breaks connections', forMs: 5_000, begin: () => proxy.cut(), mend: () => proxy.heal() },
    { name: 'the network drops all packets', forMs: 20_000, begin: () => proxy.silence(), mend: () => proxy.heal() },
  ]
  for (const fault of faults) await endure(url, fault, report)
}

/** Another process holds the write lock, such as an open database tool. */
async function tryLockedSqlite(): Promise<void> {
  const server = await startServer(undefined, { LOG_LEVEL: 'fatal' })
  const database = new Database(sqliteFile({ dataDir: server.dataDir }))
  try {
    await endure(
      server.url,
      {
        name: 'SQLite is locked',
        forMs: 12_000,
        begin: () => database.exec('begin immediate'),
        mend: () => database.exec('rollback'),
        untouched: ['read'],
      },
      report,
    )
  } finally {
    database.close()
    await server.stop()
    removeData(server.dataDir)
  }
}

/** The size is limited per connection, so the server must run in this process. */
async function tryFullSqlite(): Promise<void> {
  const dataDir = newDataDir()
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' })
  const store = await openConfiguredStore(config, () => undefined)
  const { app, context } = await buildApp({ config, store })
  await ensureFirstSuperuser(context, superuser.email, superuser.password)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  // SQLite raises a limit below the current size to the current size.
  const limitPages = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(store.db)
  try {
    await endure(
      url,
      {
        name: 'the disk is full',
        forMs: 5_000,
        begin: () => limitPages(1),
        mend: () => limitPages(0xfffffffe),
        untouched: ['read'],
        unnoticed: 'it only takes the lock, which needs no space',
      },
      report,
    )
  } finally {
    await app.close()
    removeData(dataDir)
  }
}

await tryFullSqlite()
await tryLockedSqlite()
await withServerBehindProxy(tryPostgres)
report.print()
