import { type MutationMeta, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { rememberDeleted } from '@/data/api/resource'
import { isGone } from '@/data/api/errors'

export interface ConfirmOptions<Result> {
  send: () => Promise<Result>
  meta: MutationMeta
  /** The query of a resource that is deleted. Afterwards, it is not shown from the cache. */
  deletes?: { queryKey: QueryKey }
  /** Called after success. Of a deletion: closes the dialog, and leaves the page of the resource. */
  onDone?: (result: Result) => unknown
}

/** A request that a press sends. Presses during it are ignored. */
export function useConfirm<Result>({ send, meta, deletes, onDone }: ConfirmOptions<Result>) {
  const queryClient = useQueryClient()
  const isRunning = useRef(false)

  async function remove({ queryKey }: { queryKey: QueryKey }): Promise<Result> {
    const result = await send()
    rememberDeleted(queryClient, queryKey)
    // Before the resources are read again.
    await onDone?.(result)
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    return result
  }

  const mutation = useMutation({
    mutationFn: () => (deletes ? remove(deletes) : send()),
    meta: { ...meta, reloadsOnFailure: true },
    onSuccess: (result) => (deletes ? undefined : onDone?.(result)),
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

/** Treats the 404 of a deletion as success. */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
