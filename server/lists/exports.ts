import type { AuditAction } from '../audit/record.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { change } from '../sessions/change.ts'
import { requireLiveSession } from '../sessions/checks.ts'
import type { AccountActor } from '../users/access.ts'

const CHECK_EVERY_MS = 2_000

export interface ExportTarget<T> {
  write: (rows: T[]) => Promise<void>
  signal: AbortSignal
}

/** @throws DomainError `too-many`; `busy`; `unauthenticated` when the session ends meanwhile */
export async function exportRows<T>(
  context: Context,
  actor: AccountActor,
  action: AuditAction & `${string}-export`,
  rowsOf: (db: Db) => AsyncIterable<T[]>,
  { write, signal }: ExportTarget<T>,
): Promise<void> {
  await consume(context, 'export', { user: actor.user.id })
  await context.reads.export(
    actor.user.id,
    async (db) => {
      await change(context, actor, {}, async (act) => act.audit(action))
      let checkedAt = performance.now()
      for await (const rows of rowsOf(db)) {
        if (performance.now() - checkedAt > CHECK_EVERY_MS) {
          await requireLiveSession(context, actor)
          checkedAt = performance.now()
        }
        await write(rows)
      }
    },
    signal,
  )
  await requireLiveSession(context, actor)
}
