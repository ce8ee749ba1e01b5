import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { errorMessage, errorNote, isMissing } from '@/lib/api/errors'
import type { ResourceQuery } from '@/lib/api/resource'
import type { Tag } from '@/lib/resources'
import { toast } from '@/lib/toast'

interface ReadResourceProps<Resource> {
  id: string
  options: ResourceQuery<Resource>
  /** The tag of lists whose rows contain enough of the resource. */
  rows?: Tag
  /** At the beginning of a sentence: `This item`. */
  subject: string
  /** Closes the dialog when the resource cannot be read. */
  onClose: () => void
  children: (resource: Resource) => ReactNode
}

/** Reads the resource of a dialog, with its entity tag, before the dialog appears. */
export function ReadResource<Resource extends { id: string }>(props: ReadResourceProps<Resource>) {
  const { id, options, rows, subject, onClose, children } = props
  const queryClient = useQueryClient()
  const [row] = useState(
    () => rows && findRow<Resource>(queryClient.getQueriesData({ queryKey: [{ tags: [rows] }] }), id),
  )
  const query = useQuery({ ...options, enabled: id !== '' && row === undefined })
  const { data, error } = query
  const [isReady, setReady] = useState(row !== undefined)
  if (!isReady && data !== undefined && (query.isFetchedAfterMount || !query.isStale)) setReady(true)
  // An id such as `.` requests another path.
  const isOther = data !== undefined && data.id !== id
  const isFailed = row === undefined && (id === '' || isOther || (error !== null && data === undefined))

  const fail = useEffectEvent(() => {
    const isGone = id === '' || isOther || isMissing(error)
    if (isGone) toast.error(`${subject} is not there any more.`)
    else toast.error(errorMessage(error), errorNote(error))
    onClose()
  })
  useEffect(() => {
    if (isFailed) fail()
  }, [isFailed])

  const resource = data ?? row
  return isReady && !isFailed && resource !== undefined ? children(resource) : null
}

function findRow<Row extends { id: string }>(lists: readonly (readonly [QueryKey, unknown])[], id: string) {
  const rows = lists.flatMap(([, list]) => (list as { data?: Row[] } | undefined)?.data ?? [])
  return rows.find((row) => row.id === id)
}
