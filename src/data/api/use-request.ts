import { type MutateOptions, useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'

/** Ignores calls while a request is running. @param ifMounted called only while the component is mounted */
export function useRequest<Result, Variables = void>(
  options: UseMutationOptions<Result, Error, Variables>,
  ifMounted: MutateOptions<Result, Error, Variables> = {},
) {
  const isRunning = useRef(false)
  const { isPending, mutate, data, error } = useMutation({
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
  return { pending: isPending, send, data, error }
}
