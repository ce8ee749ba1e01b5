import { NotebookText } from 'lucide-react'
import type { ItemPublic } from '@/client/types.gen'
import { NotAvailable } from '@/components/data-table'
import { lazyPart } from '@/components/lazy-part'
import { type ListOutline, ListPage } from '@/components/list-page'
import { itemResource, itemsQuery } from './items-query'

const items: ListOutline<ItemPublic> = {
  title: 'Items',
  description: 'A list of all the items.',
  query: itemsQuery,
  resource: itemResource,
  columns: [
    { header: 'ID', width: 'md:w-20', cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code> },
    { header: 'Title', role: 'title', cell: ({ title }) => title },
    { header: 'Description', cell: ({ description }) => description || <NotAvailable /> },
  ],
  rowName: ({ title }) => title,
  addLabel: 'Add Item',
  empty: { icon: NotebookText, title: 'No items', text: 'Add a new item to get started' },
  dialogs: lazyPart(async () => (await import('./item-dialogs')).ItemDialogs),
}

export function ItemsPage() {
  return <ListPage list={items} />
}
