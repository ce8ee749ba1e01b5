import { type AuditPlace, type AuditQuery, isIndexed, listAudit, type ShownEntry, streamAudit } from '../store/audit.ts'
import type { Store } from '../store/store.ts'
import { type Actor, requireAccess } from './access.ts'
import type { Exports, ExportTarget } from './exports.ts'
import type { Reads } from './reads.ts'

export type { AuditPlace, AuditQuery, ShownEntry } from '../store/audit.ts'

/** A page of the log, and the place after which the next one begins, if any. */
export interface AuditPage {
  data: ShownEntry[]
  next: AuditPlace | undefined
}

const ROWS_AT_ONCE = 500

export function createAuditLog({ store, reads, exports }: { store: Store; reads: Reads; exports: Exports }) {
  return {
    /** The newest entries first. @throws DomainError `forbidden`, `busy` */
    async list(
      actor: Actor,
      query: AuditQuery,
      { before, limit }: { before: AuditPlace | undefined; limit: number },
      signal?: AbortSignal,
    ): Promise<AuditPage> {
      requireAccess(actor, 'superuser')
      // One more entry shows whether there is another page.
      const page = { before, limit: limit + 1 }
      const found = isIndexed(query)
        ? await listAudit(store.db, query, page)
        : await reads.run(actor.user.id, (db) => listAudit(db, query, page), signal)
      const data = found.slice(0, limit)
      return { data, next: found.length > limit ? data.at(-1) : undefined }
    },

    /** All matching entries, in parts. @throws DomainError `forbidden`, and as `Exports.run` */
    async export(actor: Actor, query: AuditQuery, target: ExportTarget<ShownEntry>): Promise<void> {
      requireAccess(actor, 'superuser')
      await exports.run(actor, 'audit-export', (db) => streamAudit(db, query, ROWS_AT_ONCE), target)
    },
  }
}
