import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { auditQuery } from '@/features/audit/audit-queries'
import { auditList } from '@/features/audit/audit-search'
import { mayReadAhead } from '@/data/read-ahead'

export const Route = createFileRoute('/_layout/audit')({
  staticData: { title: 'Audit Log', isForSuperusers: true, isExtension: true },
  validateSearch: auditList.toSearch,
  loaderDeps: ({ search }) => auditList.toQuery({ ...search }),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchInfiniteQuery(auditQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/audit/audit-page')).AuditPage),
})
