import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { itemsQuery } from '@/features/items/items-queries'
import { itemDialogs, itemsSearch, toItemsQuery } from '@/features/items/items-search'
import { mayReadAhead } from '@/data/read-ahead'

export const Route = createFileRoute('/_layout/items')({
  staticData: { ...screens['/items'], dialogs: Object.keys(itemDialogs) },
  validateSearch: itemsSearch,
  loaderDeps: ({ search }) => toItemsQuery(search),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchQuery(itemsQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/items/items-page')).ItemsPage),
})
