import { Trash2 } from 'lucide-react'
import { itemsExportItems } from '@/client/sdk.gen'
import { lazyPart } from '@/components/lazy'
import { FilterCreated } from '@/components/list/filter-time'
import { FilterOwner } from '@/components/list/filter-note'
import { type ColumnsOf, ListPage } from '@/components/list/list-page'
import { NotAvailable } from '@/components/ui/missing'
import { UserText } from '@/components/ui/user-text'
import { itemsList } from './items-list'

const ItemDialogs = lazyPart(async () => (await import('./item-dialogs')).ItemDialogs)

const columns: ColumnsOf<typeof itemsList> = [
  {
    header: 'ID',
    area: 'title-end',
    width: 5,
    cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code>,
  },
  {
    header: 'Title',
    role: 'title',
    sort: 'title',
    cell: ({ title }) => <UserText show="cell">{title}</UserText>,
  },
  {
    header: 'Description',
    minWidth: 14,
    cell: ({ description }) => (description ? <UserText show="cell">{description}</UserText> : <NotAvailable />),
  },
]

export function ItemsPage() {
  return (
    <ListPage
      list={itemsList}
      description="A list of all the items."
      add="Add Item"
      empty={{ title: 'No items', text: 'Add a new item to get started' }}
      columns={columns}
      filters={(filter) => <FilterCreated {...filter.range('created')} />}
      notes={(filter) => <FilterOwner title="Items" {...filter.link('owner_id')} />}
      exportRows={itemsExportItems}
      bulk={[{ kind: 'delete_selected', label: 'Delete', icon: Trash2, className: 'text-destructive' }]}
      dialogs={ItemDialogs}
    />
  )
}
