import { type MutationMeta, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { isGone } from '@/lib/api/errors'

interface ConfirmedOptions<Result> {
  send: () => Promise<Result>
  meta: MutationMeta
  onSuccess?: (result: Result) => void
}

/** A request that a press sends once. Further presses are ignored, unless it fails. @returns props for `ConfirmDialog` */
export function useConfirmed<Result>({ send, meta, onSuccess }: ConfirmedOptions<Result>) {
  const isSent = useRef(false)
  const mutation = useMutation({
    mutationFn: send,
    meta,
    onSuccess: (result) => onSuccess?.(result),
    onError: () => {
      isSent.current = false
    },
  })
  return {
    pending: mutation.isPending,
    onConfirm: () => {
      if (isSent.current) return
      isSent.current = true
      mutation.mutate()
    },
  }
}

/** Treats the 404 of a deletion as success. */
export async function untilGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
