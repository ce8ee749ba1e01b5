import { hashKey, type MutationMeta, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { type CreateAttempts, newAttempt } from '@/data/api/create-once'
import { isMissing, refusedFields, SaveConflict } from '@/data/api/errors'
import { type ApiResponse, type Precondition, type ResourceQuery, versionOf } from '@/data/api/resource'
import { saveChanges } from '@/data/api/save-changes'
import { hasUnsavedText } from '@/data/drafts'
import { type ConflictFields, ConflictNotice } from './conflict-notice'
import { afterSave, type Form, withoutChanges } from './use-zod-form'

/** The state of saving besides the form's values. It is plain data, because drafts store it. */
export interface SaveState {
  attempt: CreateAttempts
  /** The server's values that the user has seen. */
  base: FieldValues
}

interface Edited<Values extends FieldValues, Resource> {
  /** The beginning of a sentence, such as `This item`. */
  subject: string
  labels: Partial<Record<Path<Values>, string>>
  query: ResourceQuery<Resource>
  server: Resource
  toValues: (resource: Resource) => Values
  /** Fields that are sent even if they were not changed. */
  always?: readonly (keyof Values)[]
}

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

interface Conflict<Values> {
  values: Values | null
  fields: ConflictFields
  hasFocus: boolean
}

/** The values of the form when a save began. The user may continue to type during the save. */
interface Begun {
  typed: FieldValues
  base: FieldValues
}

/** Saves changed fields, and asks about conflicts with other users (docs/decisions/0016-no-lost-updates.md). */
function useEdited<Values extends FieldValues>(
  form: Form<Values, Values>,
  state: RefObject<SaveState>,
  edited: Edited<Values, object> | undefined,
) {
  const queryClient = useQueryClient()
  const [conflict, setConflict] = useState<Conflict<Values> | null>(null)
  const isSaving = useRef(false)
  const names = Object.keys(edited?.labels ?? {}) as Path<Values>[]

  const server = edited?.server
  useEffect(() => {
    if (!edited || !server) return
    const values = edited.toValues(server)
    const { base } = state.current
    const unchanged = Object.entries(values).filter(([name]) => !form.getFieldState(name as Path<Values>).isDirty)
    state.current.base = { ...base, ...Object.fromEntries(unchanged) }
    // A running save detects the conflict itself.
    const fields = names.filter((name) => isChangedElsewhere(name, values, form.getValues(name), state.current.base))
    if (fields.length > 0 && !isSaving.current) ask(server, values, fields, false)
    // oxlint-disable-next-line react/exhaustive-deps -- for each version of the server
  }, [server])

  const queryHash = edited && hashKey(edited.query.queryKey)
  const onGone = useEffectEvent(() => {
    // The row is gone. A form with typed text stays and shows a notice; a dialog without typed text closes.
    if (!isSaving.current && hasUnsavedText()) setConflict({ values: null, fields: null, hasFocus: false })
  })
  useEffect(() => {
    if (queryHash === undefined) return
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryHash === queryHash && isMissing(query.state.error)) onGone()
    })
  }, [queryClient, queryHash])

  function ask(now: object, values: Values, fields: readonly Path<Values>[], hasFocus: boolean): void {
    const shown = (name: Path<Values>): unknown =>
      linkedName(now, name) ?? optionText(name, values[name]) ?? values[name]
    const labelled = fields.map((name) => [edited?.labels[name] ?? name, shown(name)] as const)
    setConflict({ values, fields: labelled, hasFocus })
    state.current.base = values
  }

  function closeNotice(): void {
    setConflict(null)
    if (names[0]) form.setFocus(names[0])
  }

  function takeServer(): void {
    if (conflict?.values) form.reset(conflict.values, withoutChanges)
    closeNotice()
  }

  return {
    begin: (): Begun => {
      isSaving.current = true
      return { typed: { ...form.getValues() }, base: state.current.base }
    },
    save: (
      sent: Values,
      write: (changes: Partial<Values>, headers: Precondition) => Promise<ApiResponse<object>>,
    ): Promise<object> => {
      if (!edited) throw new Error('This form changes no resource')
      const { base } = state.current
      const { always = [] } = edited
      const changed = Object.entries(sent).filter(([name, value]) => value !== base[name])
      const readAgain = () => queryClient.fetchQuery({ ...edited.query, staleTime: 0, retry: false })
      return saveChanges({
        first: async () => {
          if (versionOf(edited.server) !== undefined) return edited.server
          // Without a version, the server detects no conflict, so unchanged fields need the newest values.
          return always.length > 0 ? readAgain() : queryClient.ensureQueryData({ ...edited.query, retry: false })
        },
        conflictsWith: (now) => {
          const values = edited.toValues(now)
          return changed.some(([name, value]) => isChangedElsewhere(name, values, value, base))
        },
        write: (headers, now) => {
          const values = edited.toValues(now)
          const unchanged = always.map((name) => [name, values[name]] as const)
          return write(Object.fromEntries([...unchanged, ...changed]) as Partial<Values>, headers)
        },
        read: readAgain,
      })
    },
    onSaved: (saved: object, { typed }: Begun): void => {
      isSaving.current = false
      if (!edited) return
      const { queryKey } = edited.query
      queryClient.setQueryData(queryKey, saved)
      // The resource is marked as stale, so that the next dialog reads it again.
      void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      if (conflict) closeNotice()
      const values = edited.toValues(saved)
      state.current.base = values
      for (const name of Object.keys(values) as Path<Values>[])
        if (form.getValues(name) === typed[name]) form.resetField(name, { defaultValue: values[name] })
      form.reset(values, afterSave)
    },
    onError: (error: Error, sent: Values, begun: Begun | undefined): void => {
      isSaving.current = false
      if (!edited || !begun || !(error instanceof SaveConflict)) return
      if (error.server === null) return setConflict({ values: null, fields: null, hasFocus: true })
      const values = edited.toValues(error.server as object)
      const fields = names.filter((name) => isChangedElsewhere(name, values, sent[name], begun.base))
      ask(error.server as object, values, fields, true)
    },
    conflict: edited &&
      conflict && {
        subject: edited.subject,
        fields: conflict.fields,
        hasFocus: conflict.hasFocus,
        onTake: takeServer,
      },
  }
}

function isChangedElsewhere(name: string, server: FieldValues, sent: unknown, base: FieldValues): boolean {
  return server[name] !== base[name] && server[name] !== sent
}

/** The name of a linked row. For `owner_id`, it is in `owner_name`, which is null if the user may not see the row. */
function linkedName(resource: object, name: string): string | undefined {
  const { [name]: id, [name.replace(/_id$/, '_name')]: linked } = resource as FieldValues
  return name.endsWith('_id') && typeof id === 'string' ? (linked ?? 'Not available') : undefined
}

function optionText(name: string, value: unknown): string | undefined {
  const [field] = document.getElementsByName(name)
  if (!(field instanceof HTMLSelectElement)) return undefined
  return Array.from(field.options).find((option) => option.value === value)?.text
}
