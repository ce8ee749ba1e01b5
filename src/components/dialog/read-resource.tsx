import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { errorMessage, errorNote, isMissing } from '@/data/api/errors'
import type { ResourceQuery } from '@/data/api/resource'
import type { Tag } from '@/data/resources'
import { toast } from '@/data/toast'

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
  const [row] = useState(() => rows && findRow<Resource>(queryClient, rows, id))
  const [known, setKnown] = useState(row)
  const query = useQuery({ ...options, enabled: known === undefined })
  const { data, error } = query
  const isUpToDate = query.isFetchedAfterMount || !query.isStale
  if (known === undefined && data !== undefined && isUpToDate && !isMissing(error)) setKnown(data)
  const isFailed = known === undefined && error !== null && (data === undefined || isMissing(error))

  const fail = useEffectEvent(() => {
    if (isMissing(error)) toast.error(`${subject} is not there any more.`)
    else toast.error(errorMessage(error), errorNote(error))
    onClose()
  })
  useEffect(() => {
    if (isFailed) fail()
  }, [isFailed])

  return known === undefined ? null : children(row ?? data ?? known)
}

/** The row in the list that was read last. */
function findRow<Row extends { id: string }>(queryClient: QueryClient, tag: Tag, id: string): Row | undefined {
  const lists = queryClient.getQueryCache().findAll({ queryKey: [{ tags: [tag] }] })
  const rows = lists
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .flatMap(({ state }) => (state.data as { data?: Row[] } | undefined)?.data ?? [])
  return rows.find((row) => row.id === id)
}
