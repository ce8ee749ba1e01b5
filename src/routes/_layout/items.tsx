import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { itemsQuery } from '@/features/items/items-query'
import { itemList } from '@/lib/lists'

export const Route = createFileRoute('/_layout/items')({
  staticData: { title: 'Items' },
  validateSearch: itemList.toSearch,
  loaderDeps: ({ search }) => itemList.toQuery({ ...search }),
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(itemsQuery(deps)),
  component: lazyPage(async () => (await import('@/features/items/items-page')).ItemsPage),
})
