/** A read that took too long, or that nobody waits for any more. */
export class ReadTimeout extends Error {
  override name = 'ReadTimeout'

  constructor(options?: ErrorOptions) {
    super('The read was cut off', options)
  }
}

/** A transaction that took too long. It is rolled back. */
export class TransactionTimeout extends Error {
  override name = 'TransactionTimeout'

  constructor() {
    super('The transaction took too long')
  }
}

/** SQLite: busy beyond the timeout; disk full, failing or read-only; file missing or corrupt. */
const sqliteCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/

/**
 * PostgreSQL, by SQLSTATE: connection failure (08), authentication failure (28), missing database (3D), insufficient
 * resources (53), operator intervention or timeout (57), system error (58), lock timeout, read-only standby, failed or
 * timed-out transaction, serialization failure, deadlock.
 */
const postgresCodes = /^(08...|28...|3D000|53...|57...|58...|55P03|25006|25P0[23]|40001|40P01)$/

/** Network failures, and no resources for another connection or process. */
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_(AGAIN|FAIL)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENET(UNREACH|DOWN)|EADDRNOTAVAIL|E[MN]FILE|EAGAIN|ENOMEM)$/

/** The database's certificate is invalid; it may have expired while the server runs. */
const tlsCodes = /^(CERT_|ERR_TLS_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_)/

/** The disk is full, read-only or failing, or the system denies access to the file. */
const storageCodes = /^(ENOSPC|EDQUOT|EROFS|EIO|EFBIG|ESTALE|EACCES|EPERM)$/

/** Messages of `pg` that have no code. */
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (was closed|has encountered)|Query read timeout|Cannot use a pool after calling end|The database connection is not open|driver has already been destroyed|There was an error establishing an SSL connection|The server does not support SSL connections)/

/** Whether the database or the disk failed and not the query, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ReadTimeout || error instanceof TransactionTimeout) return true
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return driverMessages.test(error.message)
  if ([sqliteCodes, postgresCodes, networkCodes, storageCodes, tlsCodes].some((codes) => codes.test(code))) return true
  // The socket file of PostgreSQL is missing.
  return code === 'ENOENT' && syscall === 'connect'
}
