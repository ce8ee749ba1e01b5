import { NotebookText } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { ItemPublic } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/data-table'
import { EmptyState } from '@/components/empty-state'
import { openMenu } from '@/components/menu'
import { onDemand, usePreload } from '@/components/on-demand'
import { PageHeader } from '@/components/page-header'
import { PagedList } from '@/components/paged-list'
import { RowMenu } from '@/components/row-menu'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { newCreation } from '@/lib/api/creation'
import { itemsPageOptions } from './items-query'
import type { ItemsDialog } from './item-dialogs'

const itemDialogs = onDemand(async () => (await import('./item-dialogs')).ItemDialogs)
const parts = [openMenu, itemDialogs]

function columnsFor(show: (dialog: ItemsDialog) => void): Column<ItemPublic>[] {
  return [
    { header: 'ID', width: 'md:w-20', cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code> },
    { header: 'Title', role: 'title', cell: ({ title }) => title },
    { header: 'Description', cell: ({ description }) => description || <NotAvailable /> },
    {
      header: 'Actions',
      role: 'actions',
      width: 'md:w-24',
      cell: (item) => (
        <RowMenu
          name={item.title}
          onEdit={() => show({ kind: 'edit', item })}
          onDelete={() => show({ kind: 'delete', item })}
        />
      ),
    },
  ]
}

export function ItemsPage({ page }: { page: number }) {
  const dialog = useDialog<ItemsDialog>('items')
  usePreload(parts)
  return (
    <>
      <ItemsList page={page} show={dialog.show} />
      {dialog.content && (
        <itemDialogs.Part
          key={dialog.opening}
          content={dialog.content}
          control={dialog.props}
          closeForGood={dialog.closeForGood}
          onFailure={dialog.props.onClose}
        />
      )}
    </>
  )
}

/** Apart from the dialog, which opens and closes without it. */
const ItemsList = memo(function ItemsList({ page, show }: { page: number; show: (dialog: ItemsDialog) => void }) {
  const columns = useMemo(() => columnsFor(show), [show])
  const addButton = (isFirst: boolean) => (
    <Button onClick={() => show({ kind: 'add', isFirst, creation: newCreation() })}>Add Item</Button>
  )
  return (
    <PagedList
      options={itemsPageOptions(page)}
      page={page}
      header={(count) => (
        <PageHeader title="Items" description="A list of all the items.">
          {count > 0 && addButton(false)}
        </PageHeader>
      )}
      empty={
        <EmptyState icon={NotebookText} title="No items" text="Add a new item to get started">
          {addButton(true)}
        </EmptyState>
      }
    >
      {(rows) => <DataTable label="Items" columns={columns} rows={rows} />}
    </PagedList>
  )
})
