import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { auditReadAudit } from '@/client/sdk.gen'
import { type AuditSearch, toAuditQuery } from './audit-search'

/** Whether to read what was done to a user or by them. */
export type Side = 'subject_id' | 'actor_id'

export const historyOf = (userId: string, side: Side = 'subject_id') =>
  auditReadAuditOptions({ query: { [side]: userId, limit: 10 } })

export const auditQuery = (filters: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [{ tags: ['audit'], filters }],
    queryFn: async ({ pageParam, signal }) =>
      (await auditReadAudit({ query: { ...toAuditQuery(filters), ...pageParam }, signal })).data,
    initialPageParam: {},
    getNextPageParam: ({ next }) => (next === null ? undefined : { before: next }),
    // A refetch would read all pages again.
    refetchOnWindowFocus: false,
  })
