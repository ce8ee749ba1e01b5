import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { NotebookText } from 'lucide-react'
import { useState } from 'react'
import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import type { ItemPublic } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/data-table'
import { EmptyState } from '@/components/empty-state'
import { ErrorPanel } from '@/components/error-panel'
import { PageHeader } from '@/components/page-header'
import { Button } from '@/components/ui/button'
import { pageQuery } from '@/lib/paging'
import { AddItemDialog } from './add-item-dialog'

/** One page of items, newest first. */
export const itemsPageOptions = (page: number) => itemsReadItemsOptions({ query: pageQuery(page) })

const columns: Column<ItemPublic>[] = [
  { header: 'ID', cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code>, width: 'md:w-20' },
  { header: 'Title', cell: ({ title }) => title, role: 'title' },
  { header: 'Description', cell: ({ description }) => description || <NotAvailable /> },
]

export function ItemsPage({ page }: { page: number }) {
  const items = useQuery({ ...itemsPageOptions(page), placeholderData: keepPreviousData })
  const [adding, setAdding] = useState(false)

  if (items.isError) return <ErrorPanel error={items.error} onRetry={() => void items.refetch()} />
  if (items.isPending) return null

  const addButton = <Button onClick={() => setAdding(true)}>Add Item</Button>
  const { data: rows } = items.data
  return (
    <>
      <PageHeader title="Items" description="A list of all the items.">
        {rows.length > 0 && addButton}
      </PageHeader>
      <div className="mt-6">
        {rows.length > 0 ? (
          <DataTable label="Items" columns={columns} rows={rows} />
        ) : (
          <EmptyState icon={NotebookText} title="No items" text="Add a new item to get started">
            {addButton}
          </EmptyState>
        )}
      </div>
      <AddItemDialog open={adding} onClose={() => setAdding(false)} />
    </>
  )
}
