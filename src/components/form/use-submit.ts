import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type SyntheticEvent, useRef } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { refusedFields } from '@/lib/api/errors'

/**
 * Connects a form to a mutation of its values: validates, sends, and ignores submissions while one runs. Marks fields
 * that the API rejects with its reasons and focuses the first; a toast shows the reason, too.
 */
export function useSubmit<Values extends FieldValues, Output, Result, Begun = unknown>(
  form: UseFormReturn<Values, unknown, Output>,
  options: UseMutationOptions<Result, Error, Output, Begun>,
) {
  const { mutateAsync, isPending, error, reset } = useMutation(options)
  const isRunning = useRef(false)

  async function send(values: Output): Promise<void> {
    try {
      await mutateAsync(values)
    } catch (failure) {
      const refused = refusedFields(failure).filter(([name]) => name in form.getValues())
      for (const [name, message] of refused) form.setError(name as Path<Values>, { type: 'refused', message })
      if (refused[0] !== undefined) form.setFocus(refused[0][0] as Path<Values>)
    }
  }

  async function submit(): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await form.handleSubmit(send)()
    } finally {
      isRunning.current = false
    }
  }

  return {
    pending: isPending,
    error,
    reset,
    submit: () => void submit(),
    onSubmit: (event: Pick<SyntheticEvent, 'preventDefault'>) => {
      event.preventDefault()
      void submit()
    },
  }
}
