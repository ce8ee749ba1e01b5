import { Api } from '../../tests/support/api.ts'
import { execFileSync } from 'node:child_process'
import { medianOf } from '../../tests/support/measure.ts'
import { newDataDir, removeData, startServer, superuser } from '../../tests/support/running-server.ts'
import { vacuum } from './postgres.ts'
import { totalMemory } from './total-memory.ts'

const STARTS = 3

export type SeededServer = Awaited<ReturnType<typeof startSeededServer>>

/**
 * Starts a server process on a database with many users and items. The first user owns all items.
 * @param rows the number of users, and of items
 * @param databaseUrl an empty PostgreSQL database; SQLite in a temporary folder if absent
 */
export async function startSeededServer(rows: number, databaseUrl: string | undefined) {
  const database = { DATABASE_URL: databaseUrl ?? '' }
  const dataDir = newDataDir()
  try {
    const seeding = performance.now()
    const args = ['server/cli/main.ts', 'seed', '--users', String(rows), '--items', String(rows), '--owners', '1']
    const env = {
      ...process.env,
      ...database,
      DATA_DIR: dataDir,
      FIRST_SUPERUSER: superuser.email,
      FIRST_SUPERUSER_PASSWORD: superuser.password,
    }
    const said = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
    const seedSeconds = (performance.now() - seeding) / 1000
    if (databaseUrl !== undefined) await vacuum(databaseUrl)
    const [, email = ''] = /^Log in as (\S+?),? /m.exec(said) ?? []
    const [, password = ''] = /^The password of the added users is (\S+) /m.exec(said) ?? []

    const starts: number[] = []
    let server = await startServer(dataDir, database)
    for (let start = 0; start < STARTS; start += 1) {
      await server.stop()
      const starting = performance.now()
      server = await startServer(dataDir, database)
      starts.push((performance.now() - starting) / 1000)
    }
    const memoryAfterStart = totalMemory(server.process.pid ?? 0)
    const root = await Api.logIn(server.url, superuser)
    const { data } = await root.get<{ data: { email: string; is_active: boolean; is_invited: boolean }[] }>(
      '/users/?limit=100',
    )
    const active = data.filter((user) => user.is_active && !user.is_invited && user.email !== superuser.email)
    return {
      url: server.url,
      pid: server.process.pid ?? 0,
      seedSeconds,
      startSeconds: medianOf(starts),
      /** In MiB. */
      memoryAfterStart,
      superuser: { ...superuser, token: root.token },
      /** Enough people to stay below the log-in limit of each. */
      people: active.map((user) => ({ email: user.email, password })),
      owner: { email, password, token: (await Api.logIn(server.url, { email, password })).token },
      async stop() {
        await server.stop()
        removeData(dataDir)
      },
    }
  } catch (error) {
    removeData(dataDir)
    throw error
  }
}
