import { zodResolver } from '@hookform/resolvers/zod'
import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  useForm,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { addForm, type SaveState } from '@/data/drafts'
import { refusedFields } from '@/data/api/errors'
import { newAttempt } from '@/data/api/save'

export type Form<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output> & {
  schema: z.ZodMiniType<Output, Values>
  state: RefObject<SaveState>
}

export function useZodForm<Values extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Values>,
  defaultValues: DefaultValues<Values>,
  more: UseFormProps<Values, unknown, Output> = {},
): Form<Values, Output> {
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
    defaultValues,
    ...more,
  })
  const [state] = useState<Form<Values, Output>['state']>(() => ({
    current: { attempt: newAttempt(), base: defaultValues },
  }))
  return Object.assign(form, { schema, state })
}

export const unlessTyped = { keepDirtyValues: true, keepDirty: true, keepErrors: true, keepIsSubmitted: true }

export const afterSave = { ...unlessTyped, keepErrors: false, keepIsSubmitted: false }
export const withoutChanges = { ...afterSave, keepDirtyValues: false, keepDirty: false, keepFieldsRef: true }

/** The values that the user has changed. Does not subscribe to them. */
export function changesOf<Values extends FieldValues, Output>(form: Form<Values, Output>): FieldValues {
  const { defaultValues } = form.formState
  return Object.fromEntries(Object.entries(form.getValues()).filter(([name, value]) => value !== defaultValues?.[name]))
}

export function hasChanges<Values extends FieldValues, Output>(form: Form<Values, Output>): boolean {
  return Object.keys(changesOf(form)).length > 0
}

/** Asks before a reload discards text of a form without a draft, such as a password. */
export function useAskBeforeReload<Values extends FieldValues, Output>(form: Form<Values, Output>): void {
  useEffect(() => addForm({ changes: () => changesOf(form) }), [form])
}

interface SaveOptions<Output, Result> extends Pick<UseMutationOptions<Result, Error, Output>, 'meta' | 'onError'> {
  send: (values: Output, state: SaveState) => Promise<Result>
  onSaved?: (result: Result, sent: Output) => unknown
}

/** Sends a form once at a time, and shows errors at their fields. For the form of a stored row, there is `useEdit`. */
export function useSave<Values extends FieldValues, Output, Result>(
  form: Form<Values, Output>,
  { send, onSaved, ...options }: SaveOptions<Output, Result>,
) {
  return useSubmission(form, {
    ...options,
    mutationFn: (values) => send(values, form.state.current),
    onSuccess: (result, sent) => onSaved?.(result, sent),
  })
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

  return { form, pending, error, reset, submit: () => void submit(), onSubmit }
}
