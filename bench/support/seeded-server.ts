import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Api } from '../../tests/support/api.ts'
import { databaseSettings, dropDatabase, withClient } from '../../tests/support/database.ts'
import { medianOf, residentMemory } from '../../tests/support/measure.ts'
import { newDataDir, removeData, startServer, superuser } from '../../tests/support/running-server.ts'

const STARTS = 3

export type SeededServer = Awaited<ReturnType<typeof startSeededServer>>

export async function startSeededServer(rows: number) {
  const dataDir = newDataDir()
  const database = { DATABASE_URL: '', ...(await databaseSettings(dataDir)) }
  const remove = async (): Promise<void> => {
    await dropDatabase(dataDir)
    removeData(dataDir)
  }
  try {
    const seeding = performance.now()
    const args = ['scripts/seed/main.ts', '--users', String(rows), '--items', String(rows), '--owners', '1']
    const env = {
      ...process.env,
      ...database,
      DATA_DIR: dataDir,
      FIRST_SUPERUSER: superuser.email,
      FIRST_SUPERUSER_PASSWORD: superuser.password,
    }
    const said = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
    const seedSeconds = (performance.now() - seeding) / 1000
    // After a bulk insert, autovacuum would run during the measurements.
    if (database.DATABASE_URL !== '')
      await withClient(database.DATABASE_URL, (client) => client.query('vacuum analyze'))
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
    const pid = server.process.pid ?? 0
    const memoryAfterStart = totalMemory(pid)
    const root = await Api.logIn(server.url, superuser)
    const users: { email: string; is_active: boolean; is_invited: boolean }[] = []
    for (let skip = 0; skip < 300; skip += 100)
      users.push(...(await root.get<{ data: typeof users }>(`/users/?limit=100&skip=${skip}`)).data)
    const active = users.filter((user) => user.is_active && !user.is_invited && user.email !== superuser.email)
    return {
      url: server.url,
      pid,
      seedSeconds,
      startSeconds: medianOf(starts),
      memoryAfterStart,
      superuser: { ...superuser, token: root.token },
      /** So many people that the limit on log-ins per account is not reached. */
      people: active.map((user) => ({ email: user.email, password })),
      owner: { email, password, token: (await Api.logIn(server.url, { email, password })).token },
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Resident memory of a process and its children in MiB, on Linux only. */
export function totalMemory(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children].reduce((sum, each) => sum + (residentMemory(each) || 0), 0)
}
