import { type MutationMeta, useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type SyntheticEvent, useRef } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { refusedFields } from '@/data/api/errors'
import { newAttempt } from '@/data/api/save'
import type { SaveState } from '@/data/drafts'
import type { Form } from './use-zod-form'

interface SaveOptions<Output, Result> {
  send: (values: Output, state: SaveState) => Promise<Result>
  meta?: MutationMeta
  onSaved?: (result: Result, sent: Output) => unknown
  onError?: (error: Error) => unknown
}

/** Sends a form once at a time, and shows errors at their fields. For the form of a stored row, there is `useEdit`. */
export function useSave<Values extends FieldValues, Output, Result>(
  form: Form<Values, Output>,
  { send, meta, onSaved, onError }: SaveOptions<Output, Result>,
) {
  const state = useRef<SaveState>({ attempt: newAttempt(), base: {} })
  const submission = useSubmission(form, {
    mutationFn: (values) => send(values, state.current),
    ...(meta && { meta }),
    onSuccess: (result, sent) => onSaved?.(result, sent),
    onError: (error) => onError?.(error),
  })
  return { ...submission, state }
}

export function useSubmission<Values extends FieldValues, Output, Result, Begun>(
  form: Form<Values, Output>,
  options: UseMutationOptions<Result, Error, Output, Begun>,
) {
  const { mutateAsync, isPending: pending, error, reset } = useMutation(options)
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

  function onSubmit(event: Pick<SyntheticEvent, 'preventDefault'>): void {
    event.preventDefault()
    void submit()
  }

  return { pending, error, reset, submit: () => void submit(), onSubmit }
}
