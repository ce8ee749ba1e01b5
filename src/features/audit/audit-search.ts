import * as z from 'zod/mini'
import { serverNow } from '@/data/server-clock'
import { day, defined, id, optional, text } from '@/lib/search-params'

/** The search parameters of the audit page. A link to the last hours stays one. */
export const auditSearch = z.object({
  action: text(),
  result: text(),
  actor_id: id(),
  subject_id: id(),
  from: day(),
  to: day(),
  last: optional(z.enum(['24h', '7d'])),
})

export type AuditSearch = z.infer<typeof auditSearch>

const HOUR_MS = 3_600_000
const periods = { '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS }

/** The query for the API, at the time of the request. */
export function toAuditQuery({ action, result, actor_id, subject_id, from, to, last }: AuditSearch) {
  const start = last === undefined ? from : new Date(serverNow() - periods[last]).toISOString()
  return defined({ action, result, actor_id, subject_id, from: start, to })
}
