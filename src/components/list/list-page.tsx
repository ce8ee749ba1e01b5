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
import { type PageDialogProps, usePageDialogs } from '../page-dialogs'
import { Button, type ButtonProps } from '../ui/button'
import { type FilterProps, filterProps } from './filters'
import { type Action, type ActionWithId, entriesOf, type OpenAny } from './list-actions'
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
  const { list: definition, lockOf: lockBy, rowActions, dialogs: Dialog, empty } = props
  const { tag } = definition
  const queryClient = useQueryClient()
  const { loaderDeps, search: given, staticData } = useMatch({ strict: false })
  const { title = '' } = staticData
  const asked = loaderDeps as Query
  const search = given as SearchOf<Filters>
  const list = useList(definition, search, asked)
  const { skip, limit, sort, ...filter } = asked
  const { id: ownId } = useCurrentUser()
  const lockOf = useCallback((row: Row) => lockBy?.(row, ownId), [lockBy, ownId])
  const allBoxes = useRowSelection(tag, { list, filters: filter, nameOf: definition.nameOf, lockOf })
  // Only back ends with administration have exports and bulk changes.
  const isAdministered = useCapabilities().has('administration')
  const selectionColumn = isAdministered ? allBoxes : undefined
  const isSelecting = useIsSelecting(selectionColumn?.selection)
  const { selection } = allBoxes
  const { open, shown } = usePageDialogs(definition.dialogs, (dialog) => (
    <Dialog {...dialog} selected={{ selection, list, filter }} />
  ))
  const openAny = open as unknown as OpenAny
  const actions = useOffered(props.actions ?? none)
  const columns = useOffered(props.columns)
  const filtering = filterProps(definition.filters, search, list)
  const withMenu = useMemo(() => {
    const openEdit = (id: string, opener: HTMLElement) => openAny({ kind: 'edit', id }, opener)
    const menu = menuColumn((row: Row) => {
      const { id } = row
      return (
        <RowMenu
          name={definition.nameOf(row)}
          disabledFor={lockOf(row)}
          // The edit form needs the row.
          onOpen={() => void queryClient.prefetchQuery(definition.row(id))}
          onEdit={(opener) => openEdit(id, opener)}
          more={entriesOf(rowActions?.(row) ?? none, openAny, id)}
          onDelete={(opener) => openAny({ kind: 'delete', id }, opener)}
        />
      )
    })
    return [...openByTitle(columns, definition.tag, openEdit), menu]
  }, [columns, definition, rowActions, lockOf, openAny, queryClient])
  const [shownColumns, columnChoice] = useShownColumns(tag, withMenu, isAdministered)
  const exportRows = () => {
    const { skip: _, limit: __, ...query } = asked
    return props.exportRows({ query, parseAs: 'blob' })
  }
  const isEmpty = empty !== undefined && list.isEmpty
  const onAdd: ButtonProps['onClick'] = (event) => openAny({ kind: 'add' }, event.currentTarget)

  if (!list.isReady && (staticData.isEmptyAtFirst || list.failure !== null)) return <ListFailure list={list} />
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
                onClick={(event) => openAny({ kind }, event.currentTarget)}
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
            exportAs={isAdministered ? { request: exportRows, fileName: `${tag}.csv` } : undefined}
            more={entriesOf(
              actions.flatMap(({ icon, ...action }) => (icon ? [{ ...action, icon }] : [])),
              openAny,
            )}
            selection={selectionColumn?.selection}
          />
          <ListTable list={list} label={title} columns={shownColumns} selectionColumn={selectionColumn}>
            {isSelecting && <SelectionBar selection={selection} list={list} actions={props.bulk} open={openAny} />}
          </ListTable>
        </>
      )}
      {shown}
    </>
  )
}
