import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isMissing } from '@/data/api/errors'
import { type ResourceQuery, useResource } from '@/data/api/resource'
import { useNamePage } from '@/data/page-name'
import type { DialogOf, Dialogs } from '@/lib/search-params'
import { NotFound } from './not-found'
import { type OpenDialog, type PageDialogControl, type PageDialogProps, usePageDialogs } from './page-dialogs'
import { QueryBoundary, useFailure } from './query-boundary'
import { Skeleton } from './skeleton'

interface RowPageProps<Row extends object, All extends Dialogs> {
  list: { row: (id: string) => ResourceQuery<Row>; nameOf: (row: Row) => string }
  id: string
  dialogs: All
  show: (props: PageDialogProps<DialogOf<All>>) => ReactNode
  children: (row: Row, open: OpenDialog<DialogOf<All>>) => ReactNode
}

/** The page of one row. A deletion leads back to the list, because the route redirects from deleted rows. */
export function RowPage<Row extends object, All extends Dialogs>(props: RowPageProps<Row, All>) {
  const { list, id, dialogs, show, children } = props
  const router = useRouter()
  const query = useResource(list.row(id))
  /** Closes the dialog, which goes back in the history, before the route leaves for the list. */
  const onDeleted = async (control: PageDialogControl): Promise<void> => {
    if (!control.isCurrent()) return
    const left = Promise.withResolvers<void>()
    const stop = router.subscribe('onResolved', ({ pathChanged }) => pathChanged && left.resolve())
    control.onDone()
    await left.promise
    stop()
  }
  const { open, shown } = usePageDialogs(dialogs, ({ control, ...of }) =>
    show({ ...of, control: of.dialog.kind === 'delete' ? { ...control, onDone: () => onDeleted(control) } : control }),
  )
  const isUnknown = isMissing(useFailure(query))
  useNamePage(isUnknown ? 'Page not found' : query.data && list.nameOf(query.data))
  if (isUnknown) return <NotFound />
  const waiting = (
    <div className="grid gap-5">
      <Skeleton className="h-18 w-60 border-0" />
      <Skeleton className="h-40" />
    </div>
  )
  return (
    <QueryBoundary query={query} absent={null} waiting={waiting} isPart={false}>
      {(row) => (
        <>
          {children(row, open)}
          {shown}
        </>
      )}
    </QueryBoundary>
  )
}
