import { v7 as uuid } from 'uuid'
import { insertAuditEntry } from '../store/audit.ts'
import { afterCommit, type Db } from '../store/store.ts'
import type { OwnedTable } from '../store/tables.ts'
import { networkAddress } from '../lib/network-address.ts'

export type AuditAction =
  | 'log-in'
  | 'log-out'
  | 'sign-up'
  | 'account-create'
  | 'account-change'
  | 'account-delete'
  | 'address-change'
  | 'role-change'
  | 'status-change'
  | 'password-change'
  | 'password-set'
  | 'password-reset'
  | 'invite'
  | 'invite-resend'
  | 'invitation-accept'
  | 'reset-link'
  | 'session-end'
  | 'sessions-end'
  | 'users-export'
  | 'audit-export'
  | `${OwnedTable}-export`

/** Replaces the network address for the operator. */
export const SERVER = 'server'

export interface AuditEvent {
  action: AuditAction
  result?: 'done' | 'wrong-password' | 'inactive' | 'invalid-token'
  /** Absent if unknown. */
  actorId?: string | undefined
  /** The affected account; the actor by default. */
  subjectId?: string | undefined
  ip: string
}

export type Audit = ReturnType<typeof createAudit>

/** Records actions. An entry is written in the transaction of its action. */
export function createAudit({ now }: { now: () => number }) {
  /** The number of entries that this process wrote, by action and result. */
  const counts = new Map<string, { action: string; result: string; count: number }>()

  return {
    counts: () => [...counts.values()],

    async record(db: Db, { action, result = 'done', actorId, subjectId = actorId, ip }: AuditEvent): Promise<void> {
      await insertAuditEntry(db, {
        id: uuid(),
        at: now(),
        action,
        result,
        actor_id: actorId ?? null,
        subject_id: subjectId ?? null,
        origin: ip === SERVER ? SERVER : networkAddress(ip),
      })
      const key = `${action} ${result}`
      afterCommit(db, () => counts.set(key, { action, result, count: (counts.get(key)?.count ?? 0) + 1 }))
    },
  }
}
