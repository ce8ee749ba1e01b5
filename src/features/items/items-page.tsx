import { NotebookText } from 'lucide-react'
import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import type { ItemPublic } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/data-table'
import { EmptyState } from '@/components/empty-state'
import { PageHeader } from '@/components/page-header'
import { PagedList } from '@/components/paged-list'
import { RowMenu } from '@/components/row-menu'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { pageQuery } from '@/lib/paging'
import { AddItemDialog } from './add-item-dialog'
import { DeleteItemDialog } from './delete-item-dialog'
import { EditItemDialog } from './edit-item-dialog'

/** One page of items, newest first. */
export const itemsPageOptions = (page: number) => itemsReadItemsOptions({ query: pageQuery(page) })

type ItemsDialog = { kind: 'add'; isFirst: boolean } | { kind: 'edit' | 'delete'; item: ItemPublic }

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
  const addButton = (isFirst: boolean) => (
    <Button onClick={() => dialog.show({ kind: 'add', isFirst })}>Add Item</Button>
  )
  return (
    <>
      <PagedList
        options={itemsPageOptions(page)}
        page={page}
        header={(rows) => (
          <PageHeader title="Items" description="A list of all the items.">
            {rows.length > 0 && addButton(false)}
          </PageHeader>
        )}
        empty={
          <EmptyState icon={NotebookText} title="No items" text="Add a new item to get started">
            {addButton(true)}
          </EmptyState>
        }
      >
        {(rows) => <DataTable label="Items" columns={columnsFor(dialog.show)} rows={rows} />}
      </PagedList>
      {dialog.content?.kind === 'add' && (
        <AddItemDialog
          key={dialog.opening}
          {...dialog.props}
          // The empty list goes, and its button with it.
          onAdded={dialog.content.isFirst ? dialog.closeForGood : dialog.props.onClose}
        />
      )}
      {dialog.content?.kind === 'edit' && (
        <EditItemDialog key={dialog.opening} {...dialog.props} item={dialog.content.item} />
      )}
      {dialog.content?.kind === 'delete' && (
        <DeleteItemDialog
          key={dialog.opening}
          {...dialog.props}
          item={dialog.content.item}
          onDeleted={dialog.closeForGood}
        />
      )}
    </>
  )
}
