import type { UseMutationResult } from '@tanstack/react-query'
import { type SyntheticEvent, useRef } from 'react'
import { refusedFields } from '@/lib/api/errors'
import type { SendableForm } from './any-form'

/**
 * The one way from a form to a mutation: checks the values, sends them, and takes no second submission while the first is
 * under way, however fast one presses. What goes wrong is the mutation's to show (its `meta`); where the API names a field of
 * this form, the focus goes there.
 * @returns the form's `onSubmit`
 */
export function useSubmit<Output, Variables>(
  form: SendableForm<Output>,
  mutation: Pick<UseMutationResult<unknown, unknown, Variables>, 'mutateAsync'>,
  toVariables: (values: Output) => Variables,
): (event: Pick<SyntheticEvent, 'preventDefault'>) => void {
  const underWay = useRef(false)

  async function send(values: Output): Promise<void> {
    try {
      await mutation.mutateAsync(toVariables(values))
    } catch (error) {
      const field = refusedFields(error).find((name) => name in form.getValues())
      if (field !== undefined) form.setFocus(field)
    }
  }

  async function submit(): Promise<void> {
    if (underWay.current) return
    underWay.current = true
    try {
      await form.handleSubmit(send)()
    } finally {
      underWay.current = false
    }
  }

  return (event) => {
    event.preventDefault()
    void submit()
  }
}
