import type { AuditExportAuditData } from '@/client/types.gen'
import { oneOf, type ParametersOf, readParameters, toDay, toId, toText } from '@/lib/list-search'
import { serverNow } from '@/data/server-clock'

type AuditQuery = ParametersOf<AuditExportAuditData>

export type AuditSearch = AuditQuery & { last?: keyof typeof periods }

/** The URL of the audit page. A link to the last hours stays one. */
export const auditList = readParameters<AuditSearch>({
  action: toText,
  result: toText,
  actor_id: toId,
  subject_id: toId,
  from: toDay,
  to: toDay,
  last: oneOf('24h', '7d'),
})

const HOUR_MS = 3_600_000
const periods = { '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS }

/** The query for the API, at the time of the request. */
export function toAuditQuery({ last, ...query }: AuditSearch): AuditQuery {
  return last === undefined ? query : { ...query, from: new Date(serverNow() - periods[last]).toISOString() }
}
