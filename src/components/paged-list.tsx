import { keepPreviousData, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue } from 'react'
import { pageCount } from '@/lib/paging'
import { ErrorPanel } from './error-panel'
import { Pagination } from './pagination'

interface List<Row> {
  data: Row[]
  count: number
}

interface PagedListProps<Row, Key extends QueryKey, Failure> {
  options: UseQueryOptions<List<Row>, Failure, List<Row>, Key>
  page: number
  /** In the list's place while it is empty. */
  empty?: ReactNode
  /** Over the list, given how long the whole list is. */
  header: (count: number) => ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/**
 * One page of a list: nothing while it loads for the first time, the page before while another one loads, the panel when it
 * cannot be read; an address past the end leads to the last page.
 */
export function PagedList<Row, Key extends QueryKey, Failure>(props: PagedListProps<Row, Key, Failure>) {
  const { options, page, header, empty, children } = props
  const list = useQuery({ ...options, placeholderData: keepPreviousData })
  // A press on another page is answered by its number at once, and the fifty rows follow.
  const before = useDeferredValue(list.data)
  const isTurning = useDeferredValue(page) !== page
  const shown = isTurning && before ? before : list.data
  // A list that is there stays, also when reading it again fails.
  if (list.isError && list.data === undefined)
    return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined || shown === undefined) return null

  const { count } = list.data
  const rows = shown.data
  const last = pageCount(count)
  if (page > last && !list.isPlaceholderData) return <Navigate to="." search={{ page: last }} replace />
  return (
    <>
      {header(count)}
      <div className="mt-6">
        {count === 0 && empty !== undefined ? (
          empty
        ) : (
          <>
            {children(rows)}
            <Pagination page={Math.min(page, last)} count={count} />
          </>
        )}
      </div>
    </>
  )
}
