import { type MutationMeta, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { isGone } from '@/lib/api/errors'

interface DeleteOptions {
  remove: () => Promise<unknown>
  meta: MutationMeta
  onDeleted?: () => void
}

/** Deletes a resource once. A 404 counts as success. @returns props for `ConfirmDialog` */
export function useDelete({ remove, meta, onDeleted }: DeleteOptions) {
  const isSent = useRef(false)
  const mutation = useMutation({
    mutationFn: async () => {
      try {
        await remove()
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
    meta,
    onSuccess: () => onDeleted?.(),
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
