import { useQueryClient } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react'
import type { FilterOf, List, ListQuery, SearchOf, SortOf } from '@/data/api/list'
import type { ApiResponse } from '@/data/api/resource'
import { useCapabilities, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import type { DialogOf, Dialogs } from '@/lib/search-params'
import type { BulkRows } from '../dialog/bulk-dialog'
import { EmptyState } from '../empty-state'
import { AddButton, PageHeader } from '../page-header'
import { PageDialogs, type PageDialogProps } from '../page-dialogs'
import { Button, type ButtonProps } from '../ui/button'
import { type FilterProps, filterProps } from './filter-props'
import { type Action, type ActionWithId, BulkActions, entriesOf, type OpenAny } from './list-actions'
import { ListFailure, ListTable } from './list-table'
import { ListToolbar } from './list-toolbar'
import { type ListColumn, openByTitle } from './opener-column'
import { menuColumn, RowMenu } from './row-menu'
import { useRowSelection } from './row-selection'
import { useIsSelecting } from './selection'
import { useShownColumns } from './shown-columns'
import { SelectionBar } from './selection-bar'
import { useList } from './use-list'

// oxlint-disable typescript/no-explicit-any -- of any list

/** The columns of a list, which stay the same array so that rows do not render again. */
export type ColumnsOf<Of extends List<any, any, any, any>> =
  Of extends List<infer Row, infer Query, any, any> ? readonly ListColumn<Row, SortOf<Query>>[] : never

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
  actions?: readonly (Omit<Action<keyof All & string>, 'icon'> & { icon?: LucideIcon })[]
  empty?: { title: string; text: string }
  columns: readonly ListColumn<Row, SortOf<Query>>[]
  filters: (props: FilterProps<Filters, SearchOf<Filters>>) => ReactNode
  hasManyFilters?: boolean
  /** Chips of filters that only links set. */
  notes?: (props: FilterProps<Filters, SearchOf<Filters>>) => ReactNode
  exportRows: (options: { query: Omit<Query, 'skip' | 'limit'>; parseAs: 'blob' }) => Promise<ApiResponse<unknown>>
  /** Actions on selected rows. The first two are buttons. */
  bulk: readonly ActionWithId<keyof All & string>[]
  rowActions?: (row: Row) => readonly Action<keyof All & string>[]
  lockOf?: (row: Row, ownId: string) => string | undefined
  dialogs: ComponentType<DialogsOf<Query, All>>
}

const none: readonly never[] = []

/** The page of a list. Functions and columns must be at module level, because new ones would render all rows again. */
export function ListPage<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs>(
  props: ListPageProps<Row, Query, Filters, All>,
) {
  const { list: definition, lockOf: lockBy, dialogs: Dialog } = props
  const { loaderDeps, search: given, staticData } = useMatch({ strict: false })
  const asked = loaderDeps as Query
  const search = given as SearchOf<Filters>
  const list = useList(definition, search, asked)
  const { skip, limit, sort, ...filter } = asked
  const { id: ownId } = useCurrentUser()
  const lockOf = useCallback((row: Row) => lockBy?.(row, ownId), [lockBy, ownId])
  const selectionColumn = useRowSelection(definition.tag, { list, filters: filter, nameOf: definition.nameOf, lockOf })
  const { selection } = selectionColumn

  if (!list.isReady && (staticData.isEmptyAtFirst || list.failure !== null)) return <ListFailure list={list} />
  return (
    <PageDialogs
      dialogs={definition.dialogs}
      show={(shown) => <Dialog {...shown} selected={{ selection, list, filter }} />}
    >
      {(open) => (
        <Content
          {...props}
          {...{ asked, state: list, search, selectionColumn, lockOf }}
          open={open as unknown as OpenAny}
        />
      )}
    </PageDialogs>
  )
}

interface ContentProps<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs> extends Omit<
  ListPageProps<Row, Query, Filters, All>,
  'lockOf'
> {
  state: ReturnType<typeof useList<Row, Query, Filters, All>>
  asked: Query
  search: SearchOf<Filters>
  selectionColumn: ReturnType<typeof useRowSelection<Row>>
  lockOf: (row: Row) => string | undefined
  open: OpenAny
}

function Content<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs>(
  props: ContentProps<Row, Query, Filters, All>,
) {
  const { list: definition, state: list, open, selectionColumn, empty, bulk } = props
  const { tag, filters } = definition
  const { selection } = selectionColumn
  const title = useMatch({ strict: false }).staticData.title ?? ''
  // Only back ends with administration have exports and bulk changes.
  const isAdministered = useCapabilities().has('administration')
  const isSelecting = useIsSelecting(selection)
  const actions = useOffered(props.actions ?? none)
  const columns = useOffered(props.columns)
  const filtering = filterProps(filters, props.search, list)
  const [shownColumns, columnChoice] = useShownColumns(tag, useAllColumns(columns, props), isAdministered)
  const { skip, limit, ...rows } = props.asked
  const isEmpty = empty !== undefined && list.isEmpty
  const onAdd: ButtonProps['onClick'] = (event) => open({ kind: 'add' }, event.currentTarget)
  return (
    <>
      <PageHeader title={title} description={props.description}>
        {!isEmpty && (
          <div className="flex flex-wrap gap-2">
            {actions.map(({ kind, label, icon }) => (
              <Button
                key={kind}
                variant="secondary"
                className={icon && 'max-md:hidden'}
                onClick={(event) => open({ kind }, event.currentTarget)}
              >
                {label}
              </Button>
            ))}
            <AddButton onClick={onAdd}>{props.add}</AddButton>
          </div>
        )}
      </PageHeader>
      {isEmpty ? (
        <div className="mt-6">
          <EmptyState {...empty} icon={definition.icon}>
            <Button onClick={onAdd}>{props.add}</Button>
          </EmptyState>
        </div>
      ) : (
        <>
          <ListToolbar
            list={list}
            columns={columns}
            columnChoice={columnChoice}
            filters={props.filters(filtering)}
            hasManyFilters={props.hasManyFilters}
            note={props.notes?.(filtering)}
            exportAs={
              isAdministered
                ? { request: () => props.exportRows({ query: rows, parseAs: 'blob' }), fileName: `${tag}.csv` }
                : undefined
            }
            more={entriesOf(
              actions.flatMap(({ icon, ...action }) => (icon ? [{ ...action, icon }] : [])),
              open,
            )}
            selection={isAdministered ? selection : undefined}
          />
          <ListTable
            list={list}
            label={title}
            columns={shownColumns}
            selectionColumn={isAdministered ? selectionColumn : undefined}
          >
            {isSelecting && (
              <SelectionBar selection={selection} list={list}>
                {(isNone) => <BulkActions actions={bulk} plural={tag} isEmpty={isNone} open={open} />}
              </SelectionBar>
            )}
          </ListTable>
        </>
      )}
    </>
  )
}

function useAllColumns<Row extends { id: string }, Query extends ListQuery, Filters, All extends Dialogs>(
  columns: readonly ListColumn<Row, SortOf<Query>>[],
  { list, rowActions, lockOf, open }: ContentProps<Row, Query, Filters, All>,
) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const menu = menuColumn((row: Row) => {
      const { id } = row
      return (
        <RowMenu
          name={list.nameOf(row)}
          disabledFor={lockOf(row)}
          // The edit form needs the row.
          onOpen={() => void queryClient.prefetchQuery(list.row(id))}
          onEdit={(opener) => open({ kind: 'edit', id }, opener)}
          more={entriesOf(rowActions?.(row) ?? none, open, id)}
          onDelete={(opener) => open({ kind: 'delete', id }, opener)}
        />
      )
    })
    return [...openByTitle(columns, list.tag, (id, opener) => open({ kind: 'edit', id }, opener)), menu]
  }, [columns, list, rowActions, lockOf, open, queryClient])
}
