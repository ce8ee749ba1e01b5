import { createFileRoute } from '@tanstack/react-router'
import { ItemsPage } from '@/features/items/items-page'
import { itemsQuery } from '@/features/items/items-query'
import { toListSearch } from '@/lib/list-search'

export const Route = createFileRoute('/_layout/items')({
  staticData: { title: 'Items' },
  validateSearch: toListSearch,
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(itemsQuery(deps)),
  component: ItemsPage,
})
