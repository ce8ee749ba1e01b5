import type { AuditExportAuditData } from '@/client/types.gen'
import { type ParametersOf, readParameters, toDay, toId, toText } from '@/lib/list-search'

/** The URL of the audit page. */
export const auditList = readParameters<ParametersOf<AuditExportAuditData>>({
  action: toText,
  result: toText,
  actor_id: toId,
  subject_id: toId,
  from: toDay,
  to: toDay,
})
