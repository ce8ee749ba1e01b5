import type { Db } from './store.ts'

export interface AuditEntry {
  id: string
  at: number
  action: string
  result: string
  actor_id: string | null
  subject_id: string | null
  origin: string
}

/** The table only ever grows: there is no function that changes or deletes an entry. */
export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(entry).execute()
}

/** The newest entries first, with the addresses of those who still have an account. */
export async function listAudit(db: Db, limit: number) {
  return db
    .selectFrom('audit')
    .leftJoin('users as actor', 'actor.id', 'audit.actor_id')
    .leftJoin('users as subject', 'subject.id', 'audit.subject_id')
    .select([
      'audit.at',
      'audit.action',
      'audit.result',
      'audit.origin',
      'audit.actor_id',
      'audit.subject_id',
      'actor.email as actor_email',
      'subject.email as subject_email',
    ])
    .orderBy('audit.at', 'desc')
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
}
