import { type MutationMeta, useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useRef } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { type CreateAttempts, newAttempt } from '@/data/api/create-once'
import type { ApiResponse, Precondition } from '@/data/api/version'
import { refusedFields } from '@/data/api/errors'
import { ConflictNotice } from './conflict-notice'
import { type Edited, type SaveState, useEdited } from './use-edited'
import type { Form } from './use-zod-form'

interface SendOptions {
  attempt: CreateAttempts
  headers: Precondition
}

interface Options<Sent, Answer, Output, Result> {
  send: (values: Sent, sending: SendOptions) => Promise<Answer>
  meta?: MutationMeta
  onSaved?: (result: Result, sent: Output) => unknown
  onError?: (error: Error) => unknown
}

interface SaveOptions<Output, Result> extends Options<Output, Result, Output, Result> {
  edited?: undefined
}

interface EditOptions<Values extends FieldValues, Output, Resource> extends Options<
  Partial<Output>,
  ApiResponse<Resource>,
  Output,
  Resource
> {
  edited: Edited<Values, Resource>
}

type Save = ReturnType<typeof useSubmission>

/** Sends a form once at a time, and shows errors at their fields. With `edited`, it sends only changed fields. */
export function useSave<Values extends FieldValues, Output, Result>(
  form: Form<Values, Output>,
  options: SaveOptions<Output, Result>,
): Save
export function useSave<Values extends FieldValues, Output extends Values, Resource extends object>(
  form: Form<Values, Output>,
  options: EditOptions<Values, Output, Resource>,
): Save
export function useSave<Values extends FieldValues>(
  form: Form<Values, Values>,
  options: SaveOptions<Values, object> | EditOptions<Values, Values, object>,
): Save {
  return useSubmission(form, options)
}

function useSubmission<Values extends FieldValues>(
  form: Form<Values, Values>,
  options: SaveOptions<Values, object> | EditOptions<Values, Values, object>,
) {
  const { edited } = options
  const state = useRef<SaveState>({ attempt: newAttempt(), base: edited?.toValues(edited.server) ?? {} })
  const edit = useEdited(form, state, edited)
  const mutation = useMutation({
    mutationFn: (values: Values): Promise<object> => {
      const { attempt } = state.current
      return options.edited
        ? edit.save(values, (changes, headers) => options.send(changes, { attempt, headers }))
        : options.send(values, { attempt, headers: {} })
    },
    ...(options.meta && { meta: options.meta }),
    onMutate: edit.begin,
    onSuccess: (result, sent, begun) => {
      edit.onSaved(result, begun)
      return options.onSaved?.(result, sent)
    },
    onError: (error, sent, begun) => {
      edit.onError(error, sent, begun)
      return options.onError?.(error)
    },
  })
  const isRunning = useRef(false)

  async function send(values: Values): Promise<void> {
    try {
      await mutation.mutateAsync(values)
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

  const { isPending: pending, error, reset } = mutation
  const notice = edit.conflict && <ConflictNotice {...edit.conflict} pending={pending} onKeep={onSubmit} />
  return { pending, error, reset, state, submit: () => void submit(), onSubmit, notice }
}
