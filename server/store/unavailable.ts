/** SQLite: busy for longer than the time-out, the disk full, failing or read-only, the file gone. */
const sqliteCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/

/**
 * PostgreSQL, by SQLSTATE: connection failures (08), not let in (28), the database not there (3D), too many connections or
 * no room (53), stopped by an operator or a time-out (57), a failing disk (58), a lock not had in time, a standby that
 * only reads, a transaction that never got through.
 */
const postgresCodes = /^(08...|28...|3D000|53...|57...|58...|55P03|25006|25P0[23]|40001|40P01)$/

/** No way there, or no room here for one more connection. */
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_(AGAIN|FAIL)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENET(UNREACH|DOWN)|EADDRNOTAVAIL|E[MN]FILE)$/

/** The database's certificate does not hold, as when it expires while the server runs. */
const tlsCodes = /^(CERT_|ERR_TLS_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_)/

/** What `pg` says without a code. */
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (was closed|has encountered)|Query read timeout|Cannot use a pool after calling end|The database connection is not open|driver has already been destroyed|There was an error establishing an SSL connection|The server does not support SSL connections)/

/** Whether the database, rather than the query, is what failed: then trying again later may help. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return driverMessages.test(error.message)
  if ([sqliteCodes, postgresCodes, networkCodes, tlsCodes].some((codes) => codes.test(code))) return true
  // No socket file where PostgreSQL's should be.
  return code === 'ENOENT' && syscall === 'connect'
}
