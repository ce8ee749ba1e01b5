import { keepPreviousData, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { AddressDialog } from '@/lib/dialog-search'
import type { ListSearch } from '@/lib/list-search'
import { pageCount } from '@/lib/paging'
import { type Column, DataTable } from './data-table'
import { EmptyState } from './empty-state'
import { ErrorPanel } from './error-panel'
import type { LazyPart } from './lazy-part'
import { PageHeader } from './page-header'
import { Pagination } from './pagination'
import { RowMenu } from './row-menu'
import { Button } from './ui/button'
import { type AddressDialogControl, type OpenAddressDialog, useAddressDialog } from './use-address-dialog'

/** What the dialogs of a list get: which one the address names, and how to close it. */
export interface ListDialogsProps {
  dialog: AddressDialog
  control: AddressDialogControl
}

// oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own for errors and keys
type Query<Data> = UseQueryOptions<Data, any, Data, any>

/** A page with a list, as an outline. Everything in it is defined once, at the top of a module. */
export interface ListOutline<Row extends { id: string }> {
  title: string
  description: string
  /** The page of rows for these search parameters. */
  query: (search: ListSearch) => Query<{ data: Row[]; count: number }>
  /** One row, for its dialogs. */
  resource: (id: string) => Query<Row>
  columns: readonly Column<Row>[]
  /** Names the menu of a row. */
  rowName: (row: Row) => string
  addLabel: string
  /** In place of a table without rows. */
  empty?: { icon: LucideIcon; title: string; text: string }
  dialogs: LazyPart<ListDialogsProps>
}

interface ListPageProps<Row extends { id: string }> {
  list: ListOutline<Row>
  /** The row whose menu is disabled. */
  lockedId?: string | undefined
}

export function ListPage<Row extends { id: string }>({ list, lockedId }: ListPageProps<Row>) {
  const { dialog, opening, open, control } = useAddressDialog()
  return (
    <>
      <List list={list} lockedId={lockedId} open={open} />
      {dialog && <list.dialogs.Part key={opening} dialog={dialog} control={control} onFailure={control.onClose} />}
    </>
  )
}

interface ListProps<Row extends { id: string }> extends ListPageProps<Row> {
  open: OpenAddressDialog
}

/** Apart from the dialog, so that it does not render with it. */
const List = memo(function List<Row extends { id: string }>({ list, lockedId, open }: ListProps<Row>) {
  const queryClient = useQueryClient()
  const page = useSearch({ strict: false, select: (search: ListSearch) => search.page ?? 1 })
  const columns = useMemo(() => {
    const actions: Column<Row> = {
      header: 'Actions',
      role: 'actions',
      width: 'md:w-24',
      cell: (row) => (
        <RowMenu
          name={list.rowName(row)}
          disabled={row.id === lockedId}
          // The form of Edit needs it.
          onOpen={() => void queryClient.prefetchQuery(list.resource(row.id))}
          onEdit={(opener) => open({ kind: 'edit', id: row.id }, opener)}
          onDelete={(opener) => open({ kind: 'delete', id: row.id }, opener)}
        />
      ),
    }
    return [...list.columns, actions]
  }, [list, lockedId, open, queryClient])
  const query = useQuery({ ...list.query({ page }), placeholderData: keepPreviousData, retryOnMount: false })
  const { data, error } = query
  // The number of the new page appears at once, and its fifty rows follow.
  const before = useDeferredValue(data)
  const isTurning = useDeferredValue(page) !== page
  // The panel stays while the list is read again.
  const [failure, setFailure] = useState<unknown>(null)
  if (data !== undefined && failure !== null) setFailure(null)
  if (data === undefined && error !== null && error !== failure) setFailure(error)

  if (data === undefined)
    return (
      failure !== null && <ErrorPanel error={failure} pending={query.isFetching} onRetry={() => void query.refetch()} />
    )

  const { count } = data
  const { data: rows } = (isTurning && before) || data
  const last = pageCount(count)
  if (page > last && !query.isPlaceholderData) return <Navigate to="." search={{ page: last } as never} replace />
  const addButton = <Button onClick={(event) => open({ kind: 'add' }, event.currentTarget)}>{list.addLabel}</Button>
  const isEmpty = count === 0 && list.empty !== undefined
  return (
    <>
      <PageHeader title={list.title} description={list.description}>
        {!isEmpty && addButton}
      </PageHeader>
      <div className="mt-6">
        {isEmpty && list.empty ? (
          <EmptyState {...list.empty}>{addButton}</EmptyState>
        ) : (
          <>
            <DataTable label={list.title} columns={columns} rows={rows} />
            <Pagination page={Math.min(page, last)} count={count} />
          </>
        )}
      </div>
    </>
  )
}) as <Row extends { id: string }>(props: ListProps<Row>) => ReactNode
