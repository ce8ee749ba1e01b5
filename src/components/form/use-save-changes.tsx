import { type MutationMeta, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { ApiResponse, Precondition } from '@/lib/api/entity-tag'
import { SaveConflict } from '@/lib/api/errors'
import type { ResourceQuery } from '@/lib/api/resource'
import { saveChanges } from '@/lib/api/save-changes'
import { ConflictNotice, type StoredFields } from './conflict-notice'
import { updateDefaults, defaultsOf } from './stored-values'
import { useSubmit } from './use-submit'

interface SaveOptions<Values extends FieldValues, Output, Resource> {
  /** At the beginning of a sentence: `This item`. */
  subject: string
  /** The fields that a conflict shows. */
  labels: Partial<Record<Path<Values>, string>>
  /** The query that `stored` comes from. */
  resource: ResourceQuery<Resource>
  stored: Resource
  toValues: (resource: Resource) => Values
  /** @param changes the fields that differ from the values that the user has seen */
  write: (changes: Partial<Output>, headers: Precondition) => Promise<ApiResponse<Resource>>
  meta: MutationMeta
  onSaved?: () => void
}

/**
 * Connects a form to a mutation that sends the changed fields of a resource. If another user has changed one of them, a
 * notice asks which version to keep (docs/decisions/0016-no-lost-updates.md).
 * @returns props for the form; Save is disabled while there is a `notice`
 */
export function useSaveChanges<Values extends FieldValues, Output extends Values, Resource extends object>(
  form: UseFormReturn<Values, unknown, Output>,
  options: SaveOptions<Values, Output, Resource>,
) {
  const { subject, labels, resource, stored, toValues, write, meta, onSaved } = options
  const queryClient = useQueryClient()
  const names = Object.keys(labels) as Path<Values>[]
  const [conflict, setConflict] = useState<{ values: Values | null; fields: StoredFields } | null>(null)

  /** Whether the stored value is neither the one that the user has seen nor the one that is sent. */
  function isChangedElsewhere(name: Path<Values>, now: Values, sent: Output): boolean {
    return now[name] !== defaultsOf(form)[name] && now[name] !== sent[name]
  }

  async function save(sent: Output): Promise<Resource> {
    const seen = defaultsOf(form)
    const changed = (Object.keys(sent) as Path<Values>[]).filter((name) => sent[name] !== seen[name])
    const changes = Object.fromEntries(changed.map((name) => [name, sent[name]])) as unknown as Partial<Output>
    return saveChanges({
      stored,
      conflictsWith: (now) => changed.some((name) => isChangedElsewhere(name, toValues(now), sent)),
      write: (headers) => write(changes, headers),
      // Also updates `stored`.
      read: () => queryClient.fetchQuery({ ...resource, staleTime: 0, retry: false }),
    })
  }

  function showConflict(now: Resource | null, sent: Output): void {
    if (now === null) {
      setConflict({ values: null, fields: null })
      return
    }
    const values = toValues(now)
    const fields = names.filter((name) => isChangedElsewhere(name, values, sent))
    setConflict({ values, fields: fields.map((name) => [labels[name] ?? name, values[name]] as const) })
    updateDefaults(form, values, defaultsOf(form))
  }

  const { pending, onSubmit } = useSubmit(form, {
    mutationFn: save,
    meta,
    // The values as they were typed, because the user may continue to type.
    onMutate: (): Values => ({ ...form.getValues() }),
    onSuccess: (saved, _sent, typed) => {
      queryClient.setQueryData<Resource>(resource.queryKey, saved)
      // The next dialog must still read the resource.
      void queryClient.invalidateQueries({ queryKey: resource.queryKey, refetchType: 'none' })
      if (conflict) closeNotice()
      updateDefaults(form, toValues(saved), typed, { keepIsSubmitted: false })
      onSaved?.()
    },
    onError: (error, sent) => {
      if (error instanceof SaveConflict) showConflict(error.stored as Resource | null, sent)
    },
  })

  function takeStored(): void {
    if (conflict?.values) form.reset(conflict.values, { keepFieldsRef: true })
    closeNotice()
  }

  /** Moves the focus, which the notice had. */
  function closeNotice(): void {
    setConflict(null)
    const [first] = names
    if (first) form.setFocus(first)
  }

  const notice = conflict && (
    <ConflictNotice
      subject={subject}
      stored={conflict.fields}
      pending={pending}
      onKeep={onSubmit}
      onTake={takeStored}
    />
  )
  return { onSubmit, pending, notice }
}
