import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

/**
 * Runs this program again with a temporary PostgreSQL, whose URL is in TEST_DATABASE.
 * @param options of scripts/with-postgres.ts
 * @returns its exit code
 */
export function runAgainWithPostgres(...options: string[]): number {
  const [node, program = '', ...args] = process.argv
  const command = ['scripts/with-postgres.ts', ...options, process.execPath, program, ...args]
  return spawnSync(node ?? process.execPath, command, { stdio: 'inherit' }).status ?? 1
}

/** Creates an empty database on a server for the duration of `work`. */
export async function withDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `steward_bench_${randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return withClient(serverUrl, async (client) => {
    try {
      await client.query(`create database ${name}`)
      return await work(url.href)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}

/** Does what autovacuum does some minutes after a bulk insert. */
export async function vacuum(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
