import { basename } from 'node:path'
import { Client, escapeIdentifier } from 'pg'

export async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Settings for SQLite in the data folder, or for a PostgreSQL database of its own if `TEST_DATABASE` is set. */
export async function databaseSettings(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  const server = process.env.TEST_DATABASE
  if (server === undefined) return {}
  const name = basename(dataDir)
  await withClient(server, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href }
}

export async function dropDatabase(dataDir: string): Promise<void> {
  const name = escapeIdentifier(basename(dataDir))
  const server = process.env.TEST_DATABASE
  if (server !== undefined)
    await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
}
