import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotebookText, Trash2 } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { itemsExportItems } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { EmptyState } from '@/components/empty-state'
import { lazyPart } from '@/components/lazy'
import { type Column, NotAvailable } from '@/components/list/data-table'
import { FilterCreated } from '@/components/list/filter-created'
import { FilterNote } from '@/components/list/filter-note'
import { ListFailure, ListTable } from '@/components/list/list-table'
import { ListToolbar } from '@/components/list/list-toolbar'
import { openByTitle } from '@/components/list/opener-column'
import { menuColumn, RowMenu } from '@/components/list/row-menu'
import { SelectionBar } from '@/components/list/selection-bar'
import { useRowSelection } from '@/components/list/row-selection'
import { useIsSelecting } from '@/components/list/selection'
import { useList } from '@/components/list/use-list'
import { AddButton, PageHeader } from '@/components/page-header'
import { Button, type ButtonProps } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { useOwnerEmail } from '@/data/api/use-owner'
import { itemResource, itemsQuery } from './items-queries'
import { itemDialogs, itemFilters } from './items-search'

const route = getRouteApi('/_layout/items')

const ItemDialogs = lazyPart(async () => (await import('./dialogs/item-dialogs')).ItemDialogs)

const columns: readonly Column<ItemPublic>[] = [
  {
    header: 'ID',
    area: 'title-end',
    width: 'columns:w-20',
    cell: ({ id }) => <code className="text-xs">{id.slice(-4)}</code>,
  },
  {
    header: 'Title',
    role: 'title',
    sort: 'title',
    cell: ({ title }) => (
      <UserText show="two lines" title={title}>
        {title}
      </UserText>
    ),
  },
  {
    header: 'Description',
    cell: ({ description }) => (description ? <UserText show="two lines">{description}</UserText> : <NotAvailable />),
  },
]

const nameOf = ({ title }: ItemPublic) => title

export function ItemsPage(): ReactNode {
  const search = route.useSearch()
  const query = route.useLoaderDeps()
  const list = useList({
    search,
    filterNames: itemFilters,
    query,
    read: itemsQuery,
    noun: 'item',
  })
  const { dialog, opening, open, control } = useDialog(itemDialogs, search)
  const isCapable = hasCapabilities(useCurrentUser())
  const { skip, limit, sort, ...filters } = query
  const selectionColumn = useRowSelection('items', { list, filters, nameOf })
  const { selection } = selectionColumn
  const isSelecting = useIsSelecting(selection)
  const queryClient = useQueryClient()
  const allColumns = useMemo(() => {
    const menu = menuColumn((item: ItemPublic) => {
      const { id } = item
      return (
        <RowMenu
          name={nameOf(item)}
          // Needed by the edit form.
          onOpen={() => void queryClient.prefetchQuery(itemResource(id))}
          onEdit={(opener) => open({ kind: 'edit', id }, opener)}
          onDelete={(opener) => open({ kind: 'delete', id }, opener)}
        />
      )
    })
    return [...openByTitle(columns, '/items', ({ id }, opener) => open({ kind: 'edit', id }, opener)), menu]
  }, [open, queryClient])
  const owner = useOwnerEmail(filters.owner_id)

  if (!list.isReady) return <ListFailure list={list} />
  const onAdd: ButtonProps['onClick'] = (event) => open({ kind: 'add' }, event.currentTarget)
  return (
    <>
      <PageHeader title="Items" description="A list of all the items.">
        {!list.isEmpty && <AddButton onClick={onAdd}>Add Item</AddButton>}
      </PageHeader>
      {list.isEmpty ? (
        <div className="mt-6">
          <EmptyState icon={NotebookText} title="No items" text="Add a new item to get started">
            <Button onClick={onAdd}>Add Item</Button>
          </EmptyState>
        </div>
      ) : (
        <>
          <ListToolbar
            list={list}
            columns={columns}
            filters={isCapable && <FilterCreated search={search} onChange={list.change} />}
            note={
              search.owner_id && (
                <FilterNote
                  filters={list}
                  clear="Show the items of all owners"
                  onClear={() => list.change({ owner_id: undefined })}
                >
                  Items of <UserText>{owner ?? 'one owner'}</UserText>
                </FilterNote>
              )
            }
            exportAs={
              isCapable
                ? {
                    request: () => itemsExportItems({ query: { ...filters, ...(sort && { sort }) }, parseAs: 'blob' }),
                    fileName: `${list.plural}.csv`,
                  }
                : undefined
            }
            selection={isCapable ? selection : undefined}
          />
          <ListTable
            list={list}
            label="Items"
            columns={allColumns}
            selectionColumn={isCapable ? selectionColumn : undefined}
          >
            {isSelecting && (
              <SelectionBar selection={selection} list={list}>
                {(isEmpty) => (
                  <Button
                    variant="secondary"
                    disabled={isEmpty}
                    onClick={({ currentTarget }) => open({ kind: 'delete_selected' }, currentTarget)}
                  >
                    <Trash2 aria-hidden />
                    Delete
                  </Button>
                )}
              </SelectionBar>
            )}
          </ListTable>
        </>
      )}
      {dialog && (
        <ItemDialogs
          key={opening}
          dialog={dialog}
          control={control}
          selected={{ selection, list, filter: filters }}
          onFailure={control.onClose}
        />
      )}
    </>
  )
}
