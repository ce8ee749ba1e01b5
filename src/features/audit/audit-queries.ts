import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { auditReadAudit } from '@/client/sdk.gen'
import { type AuditSearch, toAuditQuery } from './audit-search'

export type HistoryQuery = { actor_id: string } | { subject_id: string; q?: string }

export const historyOptions = (query: HistoryQuery) => auditReadAuditOptions({ query: { ...query, limit: 10 } })

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
