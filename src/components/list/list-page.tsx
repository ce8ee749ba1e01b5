import { useQueryClient } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type LucideIcon, Pencil, SearchX } from 'lucide-react'
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react'
import type { FilterOf, List, ListQuery, SearchOf, SortOf } from '@/data/api/list'
import type { ApiResponse } from '@/data/api/resource'
import { useCapabilities, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { mayPrefetch } from '@/data/prefetch'
import type { DialogOf, Dialogs } from '@/lib/search-params'
import type { BulkRows } from '../dialog/bulk-dialog'
import { EmptyState } from '../empty-state'
import { ErrorPanel } from '../error-panel'
import { IconMenu } from '../menu'
import { OpenButton } from '../buttons'
import { PageHeader } from '../page-header'
import { type OpenDialog, type PageDialogProps, usePageDialogs } from '../page-dialogs'
import { Button } from '../ui/button'
import { skipLink } from '../ui/classes'
import type { Column } from './column'
import { DataTable } from './data-table'
import { useExport } from './export-button'
import { type FilterProps, filterProps } from './filters'
import { type Action, deletion, entriesOf } from './list-actions'
import { ListToolbar } from './list-toolbar'
import { openByTitle } from './opener-column'
import { Pagination } from './pagination'
import { useRowSelection } from './row-selection'
import { isSelecting } from './selection'
import { useShownColumns } from './shown-columns'
import { enterSelectionBar, SelectionBar } from './selection-bar'
import { useList } from './use-list'

// oxlint-disable typescript/no-explicit-any -- of any list

/** The columns of a list, which stay the same array so that rows do not render again. */
export type ColumnsOf<Of extends List<any, any, any, any>> =
  Of extends List<infer Row, infer Query, any, any> ? readonly Column<Row, SortOf<Query>>[] : never

export type ListDialogProps<Of extends List<any, any, any, any>> =
  Of extends List<any, infer Query, any, infer All extends Dialogs> ? DialogsOf<Query, All> : never

// oxlint-enable typescript/no-explicit-any

type DialogsOf<Query, All extends Dialogs> = PageDialogProps<DialogOf<All>> & {
  selected: BulkRows<FilterOf<Query>>
}

interface ListPageProps<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs> {
  list: List<Row, Query, Filters, All>
  description: string
  /** The label of the button that opens the first dialog. */
  add: string
  /** Buttons beside the first one. On a narrow screen, buttons with an icon move to the menu of the list. */
  actions?: readonly (Omit<Action<keyof All & string>, 'icon' | 'id'> & { icon?: LucideIcon })[]
  empty?: { title: string; text: string }
  columns: readonly Column<Row, SortOf<Query>>[]
  filters: (props: FilterProps<Filters, SearchOf<Filters>>) => ReactNode
  hasManyFilters?: boolean
  /** Chips of filters that only links set. */
  notes?: (props: FilterProps<Filters, SearchOf<Filters>>) => ReactNode
  exportRows: (options: { query: Omit<Query, 'skip' | 'limit'>; parseAs: 'blob' }) => Promise<ApiResponse<unknown>>
  bulk: readonly Action<keyof All & string>[]
  rowActions?: (row: Row) => readonly Action<keyof All & string>[]
  lockOf?: (row: Row, ownId: string) => string | undefined
  dialogs: ComponentType<DialogsOf<Query, All>>
}

const none: readonly never[] = []

/** The page of a list. Functions and columns must be at module level, because new ones would render all rows again. */
export function ListPage<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs>(
  props: ListPageProps<Row, Query, Filters, All>,
) {
  const { list: definition, lockOf: lockBy, rowActions, dialogs: Dialog, empty } = props
  const { tag } = definition
  const queryClient = useQueryClient()
  // Other parts of the match change when it has loaded, for which the page must not render again.
  const { title = '', isEmptyAtFirst } = useMatch({ strict: false, select: ({ staticData }) => staticData })
  const deps = useMatch({ strict: false, select: (match) => match.loaderDeps as object })
  const given = useMatch({ strict: false, select: (match) => match.search })
  const [asked, search] = [deps as Query, given as SearchOf<Filters>]
  const list = useList(definition, search, asked)
  const { skip, limit, sort, ...filter } = asked
  const { id: ownId } = useCurrentUser()
  const lockOf = useCallback((row: Row) => lockBy?.(row, ownId), [lockBy, ownId])
  const [selection, boxes] = useRowSelection(tag, { list, filters: filter, nameOf: definition.nameOf, lockOf })
  // Only back ends with administration have exports and bulk changes.
  const isAdministered = useCapabilities().has('administration')
  const isSelectionShown = useSelector(selection.state, isSelecting)
  const { open, shown } = usePageDialogs(definition.dialogs, (dialog) => (
    <Dialog {...dialog} selected={{ selection, list, filter }} />
  ))
  // The types of the actions ensure that the page has their dialogs.
  const openAny = open as unknown as OpenDialog
  const actions = useOffered(props.actions ?? none)
  const columns = useOffered(props.columns)
  const filtering = filterProps(definition.filters, search, list)
  const withMenu = useMemo(() => {
    const openEdit = (id: string, opener: HTMLElement) => openAny({ kind: 'edit', id }, opener)
    const menu: Column<Row> = {
      header: 'Actions',
      role: 'actions',
      width: 4.5,
      cell: (row) => {
        const { id } = row
        const lock = lockOf(row)
        const entries: Action[] = [
          { kind: 'edit', label: 'Edit', icon: Pencil },
          ...(rowActions?.(row) ?? []),
          deletion,
        ]
        return (
          <IconMenu
            label={`Actions for ${definition.nameOf(row)}`}
            tip="Actions"
            className="inline-block"
            disabled={lock !== undefined}
            title={lock}
            // The edit form needs the row.
            onOpen={() => void (mayPrefetch() && queryClient.prefetchQuery(definition.row(id)))}
            entries={entriesOf(entries, openAny, id)}
          />
        )
      },
    }
    return [...(isAdministered ? [boxes] : []), ...openByTitle(columns, definition.tag, openEdit), menu]
  }, [columns, definition, rowActions, lockOf, openAny, queryClient, isAdministered, boxes])
  const [shownColumns, columnMenu] = useShownColumns(tag, withMenu)
  const exporting = useExport(`${tag}.csv`, () => {
    const { skip: _, limit: __, ...query } = asked
    return props.exportRows({ query, parseAs: 'blob' })
  })
  const isEmpty = empty !== undefined && list.isEmpty
  const adding = { open: openAny, dialog: { kind: 'add' }, variant: 'primary', children: props.add } as const

  const { rows, count, failure } = list
  const errorPanel = failure !== null && (
    <ErrorPanel error={failure} isPart={list.isReady} pending={list.isFetching} onRetry={list.retry} />
  )
  if (!list.isReady && (isEmptyAtFirst || failure !== null)) return errorPanel
  return (
    <>
      <PageHeader title={title} description={props.description}>
        {!isEmpty && (
          <div className="flex flex-wrap gap-2">
            {actions.map(({ kind, label, icon }) => (
              <OpenButton key={kind} open={openAny} dialog={{ kind }} className={icon && 'max-md:hidden'}>
                {label}
              </OpenButton>
            ))}
            {/* On a phone, it is at the bottom of the window, within reach of the thumb. */}
            <div className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-background max-md:px-4 max-md:pt-2 max-md:pb-[calc(0.5rem+env(safe-area-inset-bottom))] max-md:in-[main:has([data-selection-bar])]:hidden print:hidden">
              <OpenButton {...adding} className="max-md:w-full" />
            </div>
          </div>
        )}
      </PageHeader>
      {isEmpty ? (
        <div className="mt-6">
          <EmptyState {...empty} icon={definition.icon}>
            <OpenButton {...adding} />
          </EmptyState>
        </div>
      ) : (
        <>
          <ListToolbar
            list={list}
            columns={columns}
            columnMenu={columnMenu}
            filters={props.filters(filtering)}
            hasManyFilters={props.hasManyFilters}
            note={props.notes?.(filtering)}
            exporting={isAdministered ? exporting : undefined}
            more={entriesOf(
              actions.flatMap(({ icon, ...action }) => (icon ? [{ ...action, icon }] : [])),
              openAny,
            )}
            onSelect={isSelectionShown || !rows?.length ? undefined : selection.start}
          />
          <div
            aria-busy={rows === undefined || list.isPlaceholderData}
            data-selecting={isSelectionShown || undefined}
            className="mt-3 max-md:pb-[calc(4rem+env(safe-area-inset-bottom))]"
          >
            {rows === undefined && errorPanel ? (
              errorPanel
            ) : rows && count === 0 ? (
              <EmptyState icon={SearchX} title={`No ${tag} found`} text="Nothing matches the search and the filters.">
                <Button variant="secondary" onClick={list.clear}>
                  Clear filters
                </Button>
              </EmptyState>
            ) : (
              <>
                {isSelectionShown && (
                  <a
                    href="#selected"
                    className={skipLink}
                    onClick={(event) => {
                      // Keeps the fragment out of the URL, which is only for the state of the list.
                      event.preventDefault()
                      enterSelectionBar()
                    }}
                  >
                    {`Skip to the selected ${tag}`}
                  </a>
                )}
                <DataTable
                  {...list}
                  label={title}
                  columns={shownColumns}
                  page={list.shownPage}
                  selection={isAdministered ? selection : undefined}
                  hasCardPairs
                />
                {isSelectionShown && (
                  <SelectionBar selection={selection} list={list} actions={props.bulk} open={openAny} />
                )}
                {rows && <Pagination page={list.page} count={count} />}
              </>
            )}
          </div>
        </>
      )}
      {shown}
    </>
  )
}
