import { type MutationMeta, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { rememberDeleted } from '@/data/api/resource'
import { isGone } from '@/data/api/errors'
import { useRequest } from '@/data/api/use-request'

export interface ConfirmOptions<Result> {
  send: () => Promise<Result>
  meta: MutationMeta
  /** The query of a resource that is deleted. Afterwards, it is not shown from the cache. */
  deletes?: { queryKey: QueryKey }
  /** Called after success. Of a deletion: closes the dialog, and leaves the page of the resource. */
  onDone?: (result: Result) => unknown
}

/** A change that a press makes. */
export function useConfirm<Result>({ send, meta, deletes, onDone }: ConfirmOptions<Result>) {
  const queryClient = useQueryClient()

  async function remove({ queryKey }: { queryKey: QueryKey }): Promise<Result> {
    const result = await send()
    rememberDeleted(queryClient, queryKey)
    // Before the resources are read again.
    await onDone?.(result)
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    return result
  }

  const request = useRequest({
    mutationFn: () => (deletes ? remove(deletes) : send()),
    meta: { ...meta, reloadsOnFailure: true },
    onSuccess: (result) => (deletes ? undefined : onDone?.(result)),
  })
  return { pending: request.pending, onConfirm: () => request.send() }
}

/** Treats the 404 of a deletion as success. */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
