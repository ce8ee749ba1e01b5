import { basename } from 'node:path'
import { Client, escapeIdentifier } from 'pg'

/**
 * The settings of a server's database: SQLite in the data folder or, if `TEST_DATABASE` names a PostgreSQL
 * (scripts/with-postgres.ts), a database there for each data folder.
 */
export async function databaseSettings(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  const server = process.env.TEST_DATABASE
  if (server === undefined) return {}
  const name = basename(dataDir)
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href }
}
