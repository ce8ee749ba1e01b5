/** SQLite: busy for longer than the time-out, the disk full, failing or read-only, the file gone. */
const sqliteCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/

/** Whether the database, rather than the query, is what failed: then trying again later may help. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && sqliteCodes.test(code)
}
