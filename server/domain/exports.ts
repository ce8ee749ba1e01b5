import type { Db, Store } from '../store/store.ts'
import type { Actor } from './access.ts'
import type { Audit, AuditAction } from './audit.ts'
import type { Limits } from './limits.ts'
import type { Reads } from './reads.ts'
import type { Sessions } from './sessions.ts'

/** How often it is checked that the session of an export still holds. */
const CHECK_EVERY_MS = 2_000

/** Where the rows of an export go. */
export interface ExportTarget<T> {
  write: (rows: T[]) => Promise<void>
  /** Ends the export. */
  signal: AbortSignal
}

export type Exports = ReturnType<typeof createExports>

/** Exports of whole lists. Each one that begins is in the audit log. */
export function createExports(options: {
  store: Store
  sessions: Sessions
  audit: Audit
  limits: Limits
  reads: Reads
}) {
  const { store, sessions, audit, limits, reads } = options

  return {
    /**
     * Writes all rows, in parts, as fast as the target takes them.
     * @throws DomainError `too-many`; `busy`; `unauthenticated` when the session ends meanwhile
     */
    async run<T>(
      actor: Actor,
      action: AuditAction & `${string}-export`,
      rowsOf: (db: Db) => AsyncIterable<T[]>,
      { write, signal }: ExportTarget<T>,
    ): Promise<void> {
      await limits.exports(actor.user.id)
      await reads.export(
        actor.user.id,
        async (db) => {
          await audit.record(store.db, { action, actorId: actor.user.id, ip: actor.ip })
          let checkedAt = performance.now()
          for await (const rows of rowsOf(db)) {
            if (performance.now() - checkedAt > CHECK_EVERY_MS) {
              await sessions.requireLive(actor)
              checkedAt = performance.now()
            }
            await write(rows)
          }
        },
        signal,
      )
      await sessions.requireLive(actor)
    },
  }
}
