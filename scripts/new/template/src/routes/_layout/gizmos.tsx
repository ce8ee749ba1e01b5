import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { gizmosList } from '@/features/gizmos/gizmos-list'
import { mayPrefetch } from '@/data/prefetch'

export const Route = createFileRoute('/_layout/gizmos')({
  staticData: { ...screens['/gizmos'], icon: gizmosList.icon, dialogs: Object.keys(gizmosList.dialogs) },
  validateSearch: gizmosList.search,
  loaderDeps: ({ search }) => gizmosList.toQuery(search),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayPrefetch()) void context.queryClient.prefetchQuery(gizmosList.page(deps))
  },
  component: lazyPage(async () => (await import('@/features/gizmos/gizmos-page')).GizmosPage),
})
