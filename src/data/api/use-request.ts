import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'

/** Ignores calls while a request is running. */
export function useRequest<Result, Variables = void>(options: UseMutationOptions<Result, Error, Variables>) {
  const isRunning = useRef(false)
  const { isPending, mutate, data, error } = useMutation({
    ...options,
    onSettled: () => {
      isRunning.current = false
    },
  })
  function send(...request: Parameters<typeof mutate>): void {
    if (isRunning.current) return
    isRunning.current = true
    mutate(...request)
  }
  return { pending: isPending, send, data, error }
}
