import { NotebookText } from 'lucide-react'
import { itemsExportItems } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { NotAvailable } from '@/components/list/data-table'
import { lazy } from '@/components/lazy/lazy'
import { type ListOutline, ListPage } from '@/components/list/list-page'
import { UserText } from '@/components/user-text'
import { itemList } from '@/lib/lists'
import { itemResource, itemsQuery, type ItemsQuery } from './items-query'

const items: ListOutline<ItemPublic, ItemsQuery> = {
  title: 'Items',
  description: 'A list of all the items.',
  noun: 'item',
  address: itemList,
  query: itemsQuery,
  exportAll: ({ skip, limit, ...query }) => itemsExportItems({ query, parseAs: 'blob' }),
  resource: itemResource,
  filters: [{ name: 'owner_id', note: 'Items of one owner', clear: 'Show the items of all owners' }],
  columns: [
    { header: 'ID', width: 'columns:w-20', cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code> },
    { header: 'Title', role: 'title', sort: 'title', cell: ({ title }) => <UserText show="whole">{title}</UserText> },
    {
      header: 'Description',
      cell: ({ description }) => (description ? <UserText show="two lines">{description}</UserText> : <NotAvailable />),
    },
  ],
  rowName: ({ title }) => title,
  addLabel: 'Add Item',
  empty: { icon: NotebookText, title: 'No items', text: 'Add a new item to get started' },
  dialogs: lazy(() => import('./item-dialogs')),
}

export function ItemsPage() {
  return <ListPage list={items} />
}
