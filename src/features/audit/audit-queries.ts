import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'

/** Whether a history is of what was done to a user or by them. */
export type Side = 'subject_id' | 'actor_id'

/** The last entries about a user. */
export const historyOf = (userId: string, side: Side = 'subject_id') =>
  auditReadAuditOptions({ query: { [side]: userId, limit: 10 } })
