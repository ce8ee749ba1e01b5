import { type MutationMeta, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { isMissing, SaveConflict } from '@/data/api/errors'
import type { ApiResponse, ResourceQuery } from '@/data/api/resource'
import { type Precondition, saveChanges, versionOf } from '@/data/api/save'
import { hasUnsavedText } from '@/data/drafts'
import { ConflictNotice, type ConflictView } from './conflict-notice'
import { afterSave, unlessTyped, useSubmission, useZodForm, withoutChanges } from './use-form'

interface EditOptions<Values extends FieldValues, Output, Resource> {
  schema: z.ZodMiniType<Output, Values>
  /** The beginning of a sentence, such as `This item`. */
  subject: string
  labels: Partial<Record<Path<Values>, string>>
  query: ResourceQuery<Resource>
  server: Resource
  toValues: (resource: Resource) => Values
  /** Fields that are sent even if they were not changed. */
  always?: readonly (keyof Values)[]
  send: (changes: Partial<Output>, headers: Precondition) => Promise<ApiResponse<Resource>>
  meta: MutationMeta
  onSaved?: (saved: Resource) => unknown
}

type Conflict<Values> = ConflictView & { values: Values | null }

/**
 * The form of a stored row. Unchanged fields follow the server. Saves the changed ones, and asks about conflicts with
 * other users (docs/decisions/0016-no-lost-updates.md).
 */
export function useEdit<Values extends FieldValues, Output extends Values, Resource extends object>(
  options: EditOptions<Values, Output, Resource>,
) {
  const { schema, subject, labels, query, server, toValues, always = [], send, meta, onSaved } = options
  const queryClient = useQueryClient()
  const form = useZodForm(schema, toValues(server) as DefaultValues<Values>, {
    values: toValues(server),
    resetOptions: unlessTyped,
  })
  const { state } = form
  const [conflict, setConflict] = useState<Conflict<Values> | null>(null)
  const names = Object.keys(labels) as Path<Values>[]

  function ask(now: Resource, values: Values, fields: readonly Path<Values>[], hasFocus: boolean): void {
    const shown = (name: Path<Values>): unknown =>
      linkedName(now, name) ?? optionText(name, values[name]) ?? values[name]
    setConflict({ values, fields: fields.map((name) => [labels[name] ?? name, shown(name)] as const), hasFocus })
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

  const readAgain = () => queryClient.fetchQuery({ ...query, staleTime: 0, retry: false })

  function save(sent: Output): Promise<Resource> {
    const { base } = state.current
    const changed = Object.entries(sent).filter(([name, value]) => value !== base[name])
    return saveChanges({
      first: async () => {
        if (versionOf(server) !== undefined) return server
        // Without a version, the server detects no conflict, so unchanged fields need the newest values.
        return always.length > 0 ? readAgain() : queryClient.ensureQueryData({ ...query, retry: false })
      },
      conflictsWith: (now) => {
        const values = toValues(now)
        return changed.some(([name, value]) => isChangedElsewhere(name, values, value, base))
      },
      write: (headers, now) => {
        const values = toValues(now)
        const unchanged = always.map((name) => [name, values[name]] as const)
        return send(Object.fromEntries([...unchanged, ...changed]) as Partial<Output>, headers)
      },
      read: readAgain,
    })
  }

  const submission = useSubmission(form, {
    mutationFn: save,
    meta,
    // The user may continue to type during the save.
    onMutate: () => ({ typed: { ...form.getValues() }, base: state.current.base }),
    onSuccess: (saved, _sent, { typed }) => {
      const { queryKey } = query
      queryClient.setQueryData(queryKey, saved)
      // The resource is marked as stale, so that the next dialog reads it again.
      void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      if (conflict) closeNotice()
      const values = toValues(saved)
      state.current.base = values
      for (const name of Object.keys(values) as Path<Values>[])
        if (form.getValues(name) === typed[name]) form.resetField(name, { defaultValue: values[name] })
      form.reset(values, afterSave)
      return onSaved?.(saved)
    },
    onError: (error, sent, begun) => {
      if (!begun || !(error instanceof SaveConflict)) return
      if (error.server === null) return setConflict({ values: null, fields: null, hasFocus: true })
      const now = error.server as Resource
      const values = toValues(now)
      const fields = names.filter((name) => isChangedElsewhere(name, values, sent[name], begun.base))
      ask(now, values, fields, true)
    },
  })

  useEffect(() => {
    const values = toValues(server)
    const { base } = state.current
    const unchanged = Object.entries(values).filter(([name]) => !form.getFieldState(name as Path<Values>).isDirty)
    state.current.base = { ...base, ...Object.fromEntries(unchanged) }
    // A running save detects the conflict itself.
    const fields = names.filter((name) => isChangedElsewhere(name, values, form.getValues(name), state.current.base))
    if (fields.length > 0 && !submission.pending) ask(server, values, fields, false)
    // oxlint-disable-next-line react/exhaustive-deps -- for each version of the server
  }, [server])

  const { error: readError } = useQuery({ ...query, enabled: false })
  useEffect(() => {
    // A form with typed text stays and shows a notice; a dialog without typed text closes.
    if (isMissing(readError) && !submission.pending && hasUnsavedText())
      setConflict({ values: null, fields: null, hasFocus: false })
  }, [readError, submission.pending])

  const notice = conflict && (
    <ConflictNotice
      subject={subject}
      {...conflict}
      pending={submission.pending}
      onKeep={submission.onSubmit}
      onTake={takeServer}
    />
  )
  return { ...submission, notice }
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
