import { type AuditQuery, isIndexed, listAudit, type ShownEntry, streamAudit } from '../audit/queries.ts'
import { exportRows, type ExportTarget } from '../lists/exports.ts'
import type { Context } from '../platform/context.ts'
import type { Place } from '../platform/database/lists.ts'
import { type AccountActor, requireAccess } from '../users/access.ts'

const ROWS_AT_ONCE = 500

/** Returns the newest entries first. @throws DomainError `forbidden`, `busy` */
export async function readAuditLog(
  { reads, store }: Context,
  actor: AccountActor,
  query: AuditQuery,
  { before, limit }: { before: Place | undefined; limit: number },
  signal?: AbortSignal,
) {
  requireAccess(actor, 'superuser')
  // One more entry shows whether there is another page.
  const page = { before, limit: limit + 1 }
  const found = isIndexed(query)
    ? await listAudit(store.db, query, page)
    : await reads.run(actor.user.id, 'audit log', (db) => listAudit(db, query, page), signal)
  const data = found.slice(0, limit)
  return { data, next: found.length > limit ? data.at(-1) : undefined }
}

/** @throws DomainError `forbidden`, and what `exportRows` throws */
export async function exportAuditLog(
  context: Context,
  actor: AccountActor,
  query: AuditQuery,
  target: ExportTarget<ShownEntry>,
): Promise<void> {
  requireAccess(actor, 'superuser')
  await exportRows(context, actor, 'audit-export', (db) => streamAudit(db, query, ROWS_AT_ONCE), target)
}
