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
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}
