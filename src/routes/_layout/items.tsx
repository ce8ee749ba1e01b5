import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { itemsQuery } from '@/features/items/items-queries'
import { itemList, readItemsSearch } from '@/features/items/items-search'
import { mayReadAhead } from '@/data/read-ahead'

export const Route = createFileRoute('/_layout/items')({
  staticData: { title: 'Items', isEmptyAtFirst: true },
  validateSearch: readItemsSearch,
  loaderDeps: ({ search }) => itemList.toQuery({ ...search }),
  loader: ({ context, deps, preload }) => {
    if (!preload || mayReadAhead()) void context.queryClient.prefetchQuery(itemsQuery(deps))
  },
  component: lazyPage(async () => (await import('@/features/items/items-page')).ItemsPage),
})
