import { keepPreviousData, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { Navigate, useRouter, useSearch } from '@tanstack/react-router'
import { createAtom, useSelector } from '@tanstack/react-store'
import { type LucideIcon, SearchX } from 'lucide-react'
import {
  type ComponentType,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Answer } from '@/lib/api/entity-tag'
import type { ResourceQuery } from '@/lib/api/resource'
import type { AddressDialog, RowDialog } from '@/lib/dialog-search'
import { pageCount } from '@/lib/paging'
import { rangeText } from '@/lib/range-text'
import { type Column, DataTable } from './data-table'
import { EmptyState } from '../empty-state'
import { ErrorPanel } from '../error-panel'
import { ExportButton } from './export-button'
import { interaction } from '../lazy/interaction'
import { type Lazy, useLazy } from '../lazy/lazy'
import { type Changes, type ListFilter, ListToolbar } from './list-toolbar'
import { PageHeader } from '../page-header'
import { Pagination } from './pagination'
import { RowMenu } from './row-menu'
import { type RowSelection, Selectable } from './row-selection'
import { Button } from '../ui/button'
import { type AddressDialogControl, type OpenAddressDialog, useAddressDialog } from '../use-dialog'
import { useFailure } from '../use-failure'

export interface ListDialogsProps {
  dialog: AddressDialog
  control: AddressDialogControl
}

// oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own for errors and keys
type Query<Data> = UseQueryOptions<Data, any, Data, any>

/** Query parameters of every list. Lists add their filters. */
interface ListQuery {
  skip?: number
  limit?: number
  sort?: string
}

interface RowAction {
  kind: RowDialog
  label: string
  icon: LucideIcon
}

/** The definition of a list page. Define it at module level, so that its parts are stable between renders. */
export interface ListOutline<Row extends { id: string }, Asked extends ListQuery> {
  title: string
  description: string
  /** Singular, as in `1 user`. */
  noun: string
  /** The plural, if it is not the noun with an `s`. */
  plural?: string
  /** Converts search parameters to their canonical form, in a fixed order, and to the API query. */
  address: {
    toSearch: (search: Record<string, unknown>) => object
    toQuery: (search: Record<string, unknown>) => Asked
  }
  query: (asked: Asked) => Query<{ data: Row[]; count: number }>
  exportAll: (asked: Asked) => Promise<Answer<unknown>>
  resource: (id: string) => ResourceQuery<Row>
  filters: readonly ListFilter<Row>[]
  columns: readonly Column<Row>[]
  rowName: (row: Row) => string
  /** Additional entries in the menu of a row. */
  rowDialogs?: (row: Row) => readonly RowAction[]
  /** Actions on several selected rows. They need a title column with a picture, which a checkbox replaces. */
  selectionDialogs?: readonly RowAction[]
  addLabel: string
  /** Another way to add a row, if rows of the back end have this field. */
  invite?: { label: string; field: keyof Row }
  /** Replaces the table if the unfiltered list is empty. */
  empty?: { icon: LucideIcon; title: string; text: string }
  dialogs: Lazy<{ Dialogs: ComponentType<ListDialogsProps> }>
}

interface ListPageProps<Row extends { id: string }, Asked extends ListQuery> {
  list: ListOutline<Row, Asked>
  /** The row with a disabled menu, and the reason. */
  locked?: { id: string; reason: string } | undefined
}

export function ListPage<Row extends { id: string }, Asked extends ListQuery>(props: ListPageProps<Row, Asked>) {
  const { list, locked } = props
  const { dialog, opening, open, control } = useAddressDialog()
  const [selection] = useState(() => createAtom<ReadonlySet<string> | null>(null))
  const code = useLazy(list.dialogs, dialog !== null, control.onClose)
  const onDone = () => {
    if (control.isCurrent()) selection.set(null)
    return control.onDone()
  }
  return (
    <>
      <List list={list} locked={locked} open={open} selection={selection} />
      {dialog && code && <code.Dialogs key={opening} dialog={dialog} control={{ ...control, onDone }} />}
    </>
  )
}

interface ListProps<Row extends { id: string }, Asked extends ListQuery> extends ListPageProps<Row, Asked> {
  open: OpenAddressDialog
  selection: RowSelection
}

/** A separate component, so that it does not render with the dialog. */
const List = memo(function List<Row extends { id: string }, Asked extends ListQuery>(props: ListProps<Row, Asked>) {
  const { list, locked, open, selection } = props
  const router = useRouter()
  const queryClient = useQueryClient()
  const searchBox = useRef<HTMLInputElement>(null)
  const page = useSearch({ strict: false, select: (search: { page?: number | undefined }) => search.page ?? 1 })
  // Compared as text, so that an equal query does not render again.
  const address = useSearch({ strict: false, select: (search) => JSON.stringify(list.address.toQuery({ ...search })) })
  const asked = useMemo(() => JSON.parse(address) as Asked, [address])
  const query = useQuery({ ...list.query(asked), placeholderData: keepPreviousData, retryOnMount: false })
  const { data, isPlaceholderData } = query
  // While a request runs, the rows belong to the previous URL.
  const [shown, setShown] = useState<{ asked: Asked; sample: Row | undefined }>()
  if (data !== undefined && !isPlaceholderData && shown?.asked !== asked)
    setShown({ asked, sample: shown?.sample ?? data.data[0] })
  // Controls update at once, and the rows with lower priority.
  const before = useDeferredValue(data)
  const failure = useFailure(query)

  const change = useCallback(
    (changes: Changes, { replace } = { replace: false }) =>
      void router.navigate({
        to: '.',
        search: (search) =>
          // The text may not be in the URL yet.
          list.address.toSearch({ ...search, q: searchBox.current?.value, ...changes, page: undefined }),
        replace,
        resetScroll: false,
      }),
    [list, router],
  )

  const sample = shown?.sample
  const columns = useMemo(() => {
    const actions: Column<Row> = {
      header: 'Actions',
      role: 'actions',
      width: 'columns:w-22',
      cell: (row) => (
        <RowMenu
          name={list.rowName(row)}
          disabledFor={row.id === locked?.id ? locked.reason : undefined}
          // Needed by the edit form.
          onOpen={() => void queryClient.prefetchQuery(list.resource(row.id))}
          onEdit={(opener) => open({ kind: 'edit', id: row.id }, opener)}
          more={(list.rowDialogs?.(row) ?? []).map(({ kind, ...entry }) => ({
            ...entry,
            onSelect: (opener) => open({ kind, id: row.id }, opener),
          }))}
          onDelete={(opener) => open({ kind: 'delete', id: row.id }, opener)}
        />
      ),
    }
    const given = list.columns.filter((column) => isGiven(column, sample))
    if (!list.selectionDialogs) return [...given, actions]
    return [...given.map((column) => withSelection(column, list.rowName, selection, locked)), actions]
  }, [list, locked, open, queryClient, sample, selection])
  const isSelecting = useSelector(selection, (ids) => ids !== null)
  const code = useLazy(interaction, isSelecting, () => selection.set(null))

  const panel = failure !== null && (
    <ErrorPanel
      error={failure}
      isPart={shown !== undefined}
      pending={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
  if (shown === undefined) return panel

  const clearFilters = () => {
    searchBox.current?.focus()
    change(Object.fromEntries(filtersOf(asked).map((name) => [name, undefined])))
  }
  const count = data?.count ?? 0
  const last = pageCount(count)
  const addButton = <Button onClick={(event) => open({ kind: 'add' }, event.currentTarget)}>{list.addLabel}</Button>
  const isFiltered = filtersOf(shown.asked).length > 0
  const { plural = `${list.noun}s` } = list
  const isEmpty = data?.count === 0 && !isFiltered && list.empty !== undefined
  return (
    <>
      <PageHeader title={list.title} description={list.description}>
        {!isEmpty && (
          <div className="flex flex-wrap gap-2">
            {list.invite && isGiven(list.invite, sample) && (
              <Button variant="secondary" onClick={(event) => open({ kind: 'invite' }, event.currentTarget)}>
                {list.invite.label}
              </Button>
            )}
            {addButton}
          </div>
        )}
      </PageHeader>
      {!isEmpty && (
        <div className="@container mt-6 print:hidden">
          <ListToolbar
            rowsName={plural}
            filters={list.filters.filter((filter) => isGiven(filter, sample))}
            columns={columns}
            values={asked}
            onChange={change}
            status={data ? rangeText(shown.asked.skip ?? 0, data.data.length, count, list.noun, list.plural) : ''}
            searchBox={searchBox}
          >
            <div className="flex flex-wrap justify-end gap-2">
              {list.selectionDialogs && !isSelecting && count > 0 && (
                <Button variant="secondary" onClick={() => selection.set(new Set<string>())}>
                  Select
                </Button>
              )}
              <ExportButton ask={() => list.exportAll(asked)} fileName={`${plural}.csv`} />
            </div>
          </ListToolbar>
        </div>
      )}
      {page > last && data && !isPlaceholderData && (
        <Navigate to="." search={(search) => ({ ...search, page: last })} replace />
      )}
      <div aria-busy={isPlaceholderData} className={isEmpty ? 'mt-6' : 'mt-3'}>
        {data === undefined ? (
          panel
        ) : isEmpty && list.empty ? (
          <EmptyState {...list.empty}>{addButton}</EmptyState>
        ) : count === 0 && isFiltered ? (
          <EmptyState icon={SearchX} title={`No ${plural} found`} text="Nothing matches the search and the filters.">
            <Button variant="secondary" onClick={clearFilters}>
              Clear filters
            </Button>
          </EmptyState>
        ) : (
          <>
            <DataTable
              label={list.title}
              columns={columns}
              rows={before && before.data.length > 0 ? before.data : data.data}
              isOutdated={isPlaceholderData}
              sort={asked.sort}
              onSort={(next) => change({ sort: next })}
            />
            {isSelecting && code && (
              <code.SelectionBar
                selection={selection}
                ids={data.data.flatMap(({ id }) => (id === locked?.id ? [] : [id]))}
                noun={list.noun}
                plural={plural}
                actions={(list.selectionDialogs ?? []).map(({ kind, ...action }) => ({
                  ...action,
                  onSelect: (ids, opener) => open({ kind, id: ids.join() }, opener),
                }))}
              />
            )}
            <Pagination page={Math.min(page, last)} count={count} />
          </>
        )}
      </div>
    </>
  )
}) as <Row extends { id: string }, Asked extends ListQuery>(props: ListProps<Row, Asked>) => ReactNode

/** Adds the checkboxes for selection to the title column. */
function withSelection<Row extends { id: string }>(
  column: Column<Row>,
  rowName: (row: Row) => string,
  selection: RowSelection,
  locked: { id: string; reason: string } | undefined,
): Column<Row> {
  if (column.role !== 'title') return column
  return {
    ...column,
    picture: (row) => (
      <Selectable
        selection={selection}
        id={row.id}
        name={rowName(row)}
        disabledFor={row.id === locked?.id ? locked.reason : undefined}
      >
        {column.picture?.(row)}
      </Selectable>
    ),
  }
}

function filtersOf({ skip, limit, sort, ...filters }: ListQuery): string[] {
  return Object.keys(filters)
}

/** Whether rows of the back end have the field. One row is enough as a sample. */
function isGiven<Row extends object>({ field }: { field?: keyof Row }, sample: Row | undefined): boolean {
  return field === undefined || sample === undefined || sample[field] !== undefined
}
