import { type AuditPlace, type AuditQuery, isIndexed, listAudit, type ShownEntry, streamAudit } from '../store/audit.ts'
import type { Store } from '../store/store.ts'
import { type Actor, requireAccess } from './access.ts'
import type { Audit } from './audit.ts'
import type { LongReads } from './long-reads.ts'

export type { AuditPlace, AuditQuery, ShownEntry } from '../store/audit.ts'

/** A page of the log, and the place after which the next one begins, if any. */
export interface AuditPage {
  data: ShownEntry[]
  next: AuditPlace | undefined
}

const ROWS_AT_ONCE = 500

export function createAuditLog({ store, audit, longReads }: { store: Store; audit: Audit; longReads: LongReads }) {
  return {
    /** The newest entries first. @throws DomainError `forbidden`, `busy` */
    async list(
      actor: Actor,
      query: AuditQuery,
      { before, limit }: { before: AuditPlace | undefined; limit: number },
    ): Promise<AuditPage> {
      requireAccess(actor, 'superuser')
      // One more entry shows whether there is another page.
      const page = { before, limit: limit + 1 }
      const found = isIndexed(query)
        ? await listAudit(store.db, query, page)
        : await longReads.list(actor.user.id, () => listAudit(store.reader, query, page))
      const data = found.slice(0, limit)
      return { data, next: found.length > limit ? data.at(-1) : undefined }
    },

    /** All matching entries, in parts. @throws DomainError `forbidden`, `busy` */
    async *export(actor: Actor, query: AuditQuery): AsyncGenerator<ShownEntry[]> {
      requireAccess(actor, 'superuser')
      await audit.record(store.db, { action: 'audit-export', actorId: actor.user.id, ip: actor.ip })
      yield* longReads.export(actor.user.id, () => streamAudit(store.reader, query, ROWS_AT_ONCE))
    },
  }
}
