import type { UseMutationResult } from '@tanstack/react-query'
import { type SubmitEvent, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * The one way from a form to a mutation: checks the values, sends them, and takes no second submission while the first
 * is under way, however fast one presses. What goes wrong is the mutation's to show (its `meta`).
 * @returns the form's `onSubmit`
 */
export function useSubmit<Values extends FieldValues, Output, Variables>(
  form: UseFormReturn<Values, unknown, Output>,
  mutation: UseMutationResult<unknown, unknown, Variables>,
  toVariables: (values: Output) => Variables,
): (event: SubmitEvent) => void {
  const underWay = useRef(false)

  async function submit(): Promise<void> {
    if (underWay.current) return
    underWay.current = true
    try {
      await form.handleSubmit(async (values) => {
        await mutation.mutateAsync(toVariables(values)).catch(() => undefined)
      })()
    } finally {
      underWay.current = false
    }
  }

  return (event) => {
    event.preventDefault()
    void submit()
  }
}
