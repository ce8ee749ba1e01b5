import type { UseMutationResult } from '@tanstack/react-query'
import { type SyntheticEvent, useRef } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { refusedFields } from '@/lib/api/errors'

/**
 * Connects a form to a mutation: validates, sends, and ignores submissions while one runs. Marks fields that the API
 * rejects and focuses the first; a toast shows the reason.
 * @returns the form's `onSubmit`
 */
export function useSubmit<Values extends FieldValues, Output, Variables>(
  form: UseFormReturn<Values, unknown, Output>,
  mutation: Pick<UseMutationResult<unknown, unknown, Variables>, 'mutateAsync'>,
  toVariables: (values: Output) => Variables,
): (event: Pick<SyntheticEvent, 'preventDefault'>) => void {
  const isRunning = useRef(false)

  async function send(values: Output): Promise<void> {
    try {
      await mutation.mutateAsync(toVariables(values))
    } catch (error) {
      const fields = refusedFields(error).filter((name) => name in form.getValues()) as Path<Values>[]
      for (const field of fields) form.setError(field, { type: 'refused' })
      if (fields[0] !== undefined) form.setFocus(fields[0])
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

  return (event) => {
    event.preventDefault()
    void submit()
  }
}
