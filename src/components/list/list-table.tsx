import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../empty-state'
import { ErrorPanel } from '../error-panel'
import { Button } from '../ui/button'
import { skipLink } from '../ui/classes'
import type { Column } from './column'
import { DataTable } from './data-table'
import type { SelectionColumn } from './row-selection'
import { Pagination } from './pagination'
import { useIsSelecting } from './selection'
import { enterSelectionBar } from './selection-bar'
import type { ListState } from './use-list'

interface ListTableProps<Row extends { id: string }> {
  list: ListState<Row>
  label: string
  /** Must be stable, because a new array renders every row again. */
  columns: readonly Column<Row>[]
  selectionColumn?: SelectionColumn<Row> | undefined
  children?: ReactNode
}

export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { list, label, columns, selectionColumn, children } = props
  const { rows, count, page, pageCount } = list
  const isSelecting = useIsSelecting(selectionColumn?.selection)
  return (
    <div
      aria-busy={rows === undefined || list.isPlaceholderData}
      className="mt-3 max-md:pb-[calc(4rem+env(safe-area-inset-bottom))]"
    >
      {rows === undefined && list.failure !== null ? (
        <ListFailure list={list} isPart />
      ) : rows && count === 0 ? (
        <EmptyState icon={SearchX} title={`No ${list.plural} found`} text="Nothing matches the search and the filters.">
          <Button variant="secondary" onClick={list.clear}>
            Clear filters
          </Button>
        </EmptyState>
      ) : (
        <>
          {isSelecting && (
            <a
              href="#selected"
              className={skipLink}
              onClick={(event) => {
                // Keeps the fragment out of the URL, which is only for the state of the list.
                event.preventDefault()
                enterSelectionBar()
              }}
            >
              {`Skip to the selected ${list.plural}`}
            </a>
          )}
          <DataTable
            label={label}
            columns={columns}
            rows={rows}
            page={list.shownPage}
            isPlaceholderData={list.isPlaceholderData}
            gone={list.gone}
            selectionColumn={selectionColumn}
            sort={list.sort}
            onSort={list.onSort}
            hasCardPairs
          />
          {children}
          {rows && <Pagination page={Math.min(page, pageCount)} count={count} />}
        </>
      )}
    </div>
  )
}

/** The error of a list that has no rows. @param isPart whether it is shown below the heading of the page */
export function ListFailure<Row>({ list, isPart = false }: { list: ListState<Row>; isPart?: boolean }) {
  if (list.failure === null) return null
  return <ErrorPanel error={list.failure} isPart={isPart} pending={list.isFetching} onRetry={list.retry} />
}
