import { createFileRoute } from '@tanstack/react-router'
import { ItemsPage, itemsPageOptions } from '@/features/items/items-page'
import { toPage } from '@/lib/paging'

export const Route = createFileRoute('/_layout/items')({
  staticData: { title: 'Items' },
  validateSearch: (search): { page?: number } => (search.page === undefined ? {} : { page: toPage(search.page) }),
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(itemsPageOptions(deps.page)),
  component: Items,
})

function Items() {
  const { page = 1 } = Route.useSearch()
  return <ItemsPage page={page} />
}
