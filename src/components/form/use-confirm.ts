import { type MutationMeta, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { rememberDeleted } from '@/data/api/resource'
import { isGone } from '@/data/api/errors'
import { useRequest } from '@/data/api/use-request'

export interface ConfirmOptions<Result> {
  send: () => Promise<Result>
  meta: MutationMeta
  deletes?: { queryKey: QueryKey } | undefined
  onDone?: ((result: Result) => unknown) | undefined
}

export function useConfirm<Result>({ send, meta, deletes, onDone }: ConfirmOptions<Result>) {
  const queryClient = useQueryClient()

  async function remove({ queryKey }: { queryKey: QueryKey }): Promise<Result> {
    const result = await send()
    rememberDeleted(queryClient, queryKey)
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

export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
