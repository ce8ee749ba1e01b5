// What the two databases' error codes mean. SQLite names its codes, PostgreSQL has five characters (SQLSTATE).

/** Two transactions were in each other's way, and this one was given up: run again, it goes through. */
export function isSerializationFault(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** A value that has to be unique is there already. */
export function isUniqueFault(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'].includes(codeOf(error))
}

/** SQLite: another process holds a lock, also during recovery after a crash (SQLITE_BUSY_RECOVERY). */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
