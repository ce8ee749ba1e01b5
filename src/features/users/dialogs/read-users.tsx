import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { findRow } from '@/components/dialog/read-resource'
import { errorMessage, errorNote, isMissing } from '@/lib/api/errors'
import { toast } from '@/lib/toast'
import { userResource } from '../users-queries'

interface ReadUsersProps {
  ids: readonly string[]
  /** Closes the dialog when there are no users to show. */
  onClose: () => void
  children: (users: readonly UserPublic[]) => ReactNode
}

/** Reads the users of a dialog that are not in the list. Those who do not exist are omitted. */
export function ReadUsers({ ids, onClose, children }: ReadUsersProps) {
  const queryClient = useQueryClient()
  const [rows] = useState(() => ids.map((id) => findRow<UserPublic>(queryClient, 'users', id)))
  const queries = useQueries({
    queries: ids.map((id, index) => ({ ...userResource(id), enabled: rows[index] === undefined })),
  })
  const found = rows.map((row, index) => row ?? queries[index]?.data)
  const failure = queries.find(({ error }) => error !== null && !isMissing(error))?.error
  const isRead = queries.every(({ error }, index) => found[index] !== undefined || error !== null)
  const users = found.filter((user) => user !== undefined)
  const isFailed = isRead && (failure !== undefined || users.length === 0)

  const fail = useEffectEvent(() => {
    if (failure) toast.error(errorMessage(failure), errorNote(failure))
    else toast.error('These users are not there any more.')
    onClose()
  })
  useEffect(() => {
    if (isFailed) fail()
  }, [isFailed])

  return isRead && !isFailed ? children(users) : null
}
