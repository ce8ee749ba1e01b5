import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { itemsList } from '@/features/items/items-list'
import { mayPrefetch } from '@/data/prefetch'

export const Route = createFileRoute('/_layout/items')({
  staticData: { ...screens['/items'], icon: itemsList.icon, dialogs: Object.keys(itemsList.dialogs) },
  validateSearch: itemsList.search,
  loaderDeps: ({ search }) => itemsList.toQuery(search),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayPrefetch()) void context.queryClient.prefetchQuery(itemsList.page(deps))
  },
  component: lazyPage(async () => (await import('@/features/items/items-page')).ItemsPage),
})
