import Database from 'better-sqlite3'

/** Opens a database file for some work, and closes it. */
export function withSqlite<T>(file: string, options: Database.Options, work: (database: Database.Database) => T): T {
  const database = new Database(file, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}
