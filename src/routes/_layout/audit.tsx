import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { mayPrefetch } from '@/data/prefetch'
import { auditQuery, auditSearch } from '@/features/audit/audit-queries'

export const Route = createFileRoute('/_layout/audit')({
  staticData: screens['/audit'],
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    if (!preload || mayPrefetch()) void context.queryClient.prefetchInfiniteQuery(auditQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/audit/audit-page')).AuditPage),
})
