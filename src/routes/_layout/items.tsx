import { createFileRoute } from '@tanstack/react-router'
import { ItemsPage } from '@/features/items/items-page'
import { itemsPageOptions } from '@/features/items/items-query'
import { toPage } from '@/lib/paging'

export const Route = createFileRoute('/_layout/items')({
  staticData: { title: 'Items' },
  validateSearch: ({ page }): { page?: number } => (page === undefined ? {} : { page: toPage(page) }),
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(itemsPageOptions(deps.page)),
  component: Items,
})

function Items() {
  const { page = 1 } = Route.useSearch()
  return <ItemsPage page={page} />
}
