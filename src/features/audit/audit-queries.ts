import { infiniteQueryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { auditReadAudit } from '@/client/sdk.gen'
import { serverNow } from '@/data/api/setup'
import { addDays, firstOfDay, lastOfDay, localDay } from '@/lib/local-day'
import { day, defined, id, optional, text } from '@/lib/search-params'

/** The search parameters of the audit page. Periods such as `24h` stay relative, so that links to them stay current. */
export const auditSearch = z.object({
  q: text(),
  action: text(),
  result: text(),
  actor_id: id(),
  subject_id: id(),
  from: day(),
  to: day(),
  last: optional(z.enum(['today', 'yesterday', '24h', '7d'])),
})

export type AuditSearch = z.infer<typeof auditSearch>

const DAY_MS = 24 * 3_600_000

/** The first and last times. Days are those of the browser's time zone. */
function boundsOf({ from, to, last }: Pick<AuditSearch, 'from' | 'to' | 'last'>): { from?: string; to?: string } {
  if (last === undefined) return { ...(from && { from: firstOfDay(from) }), ...(to && { to: lastOfDay(to) }) }
  if (last === '24h' || last === '7d')
    return { from: new Date(serverNow() - (last === '7d' ? 7 : 1) * DAY_MS).toISOString() }
  const only = addDays(localDay(serverNow()), last === 'today' ? 0 : -1)
  return { from: firstOfDay(only), to: lastOfDay(only) }
}

/** Call it for each request, because relative periods depend on the current time. */
export function toAuditQuery({ q, action, result, actor_id, subject_id, ...time }: AuditSearch) {
  return defined({ q, action, result, actor_id, subject_id, ...boundsOf(time) })
}

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
