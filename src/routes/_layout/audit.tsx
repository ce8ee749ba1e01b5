import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { mayReadAhead } from '@/data/read-ahead'
import { auditQuery } from '@/features/audit/audit-queries'
import { auditSearch } from '@/features/audit/audit-search'

export const Route = createFileRoute('/_layout/audit')({
  staticData: screens['/audit'],
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchInfiniteQuery(auditQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/audit/audit-page')).AuditPage),
})
