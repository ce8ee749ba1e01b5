import { type MutateOptions, useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A request that a press sends. Presses during it are ignored, also before React shows that it is pending.
 * @param ifMounted are called only while the component is there
 */
export function useRequest<Result, Variables = void>(
  options: UseMutationOptions<Result, Error, Variables>,
  ifMounted: MutateOptions<Result, Error, Variables> = {},
) {
  const isRunning = useRef(false)
  const { isPending, mutate } = useMutation({
    ...options,
    onSettled: () => {
      isRunning.current = false
    },
  })
  function send(variables: Variables): void {
    if (isRunning.current) return
    isRunning.current = true
    mutate(...([variables, ifMounted] as Parameters<typeof mutate>))
  }
  return { pending: isPending, send }
}
