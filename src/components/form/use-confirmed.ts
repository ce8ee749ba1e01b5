import { type MutationMeta, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { rememberDeleted } from '@/lib/api/deleted'
import { isGone } from '@/lib/api/errors'

interface ConfirmedOptions<Result> {
  send: () => Promise<Result>
  meta: MutationMeta
  onSuccess?: (result: Result) => unknown
}

/** A request that a press sends. Presses during it are ignored. @returns props for `ConfirmDialog` */
export function useConfirmed<Result>({ send, meta, onSuccess }: ConfirmedOptions<Result>) {
  const isRunning = useRef(false)
  const mutation = useMutation({
    mutationFn: send,
    meta: { ...meta, reloadsOnFailure: true },
    onSuccess: (result) => onSuccess?.(result),
    onSettled: () => {
      isRunning.current = false
    },
  })
  return {
    pending: mutation.isPending,
    onConfirm: () => {
      if (isRunning.current) return
      isRunning.current = true
      mutation.mutate()
    },
  }
}

interface DeletionOptions extends ConfirmedOptions<unknown> {
  /** The query of the deleted resource. */
  resource: { queryKey: QueryKey }
  /** Closes the dialog, and leaves the page of the resource. */
  onDone: () => unknown
}

/** A confirmed deletion. Afterwards, the resource is not shown from the cache. */
export function useDeletion({ send, resource: { queryKey }, onDone, ...options }: DeletionOptions) {
  const queryClient = useQueryClient()
  return useConfirmed({
    ...options,
    send: async () => {
      await ignoreNotFound(send())
      rememberDeleted(queryClient, queryKey)
      // Before the resources are read again.
      await onDone()
      queryClient.removeQueries({ queryKey, type: 'inactive' })
    },
  })
}

/** Treats the 404 of a deletion as success. */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
