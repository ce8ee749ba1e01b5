import Database from 'better-sqlite3'

export function withSqlite<T>(file: string, options: Database.Options, work: (database: Database.Database) => T): T {
  const database = new Database(file, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}
