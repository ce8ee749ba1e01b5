import { type MutationMeta, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { SaveConflict } from '@/lib/api/errors'
import { type Condition, saveOver } from '@/lib/api/save-over'
import type { FilledForm } from './any-form'
import { ConflictNotice, type StoredFields } from './conflict-notice'
import { useSubmit } from './use-submit'

interface GuardedSave<Values extends FieldValues, Output, Resource> {
  /** What the form is about, at the beginning of a sentence: `This item`. */
  subject: string
  /** The fields that show what is stored, by their labels. */
  labels: Partial<Record<Path<Values>, string>>
  /** What the form shows of what is stored. */
  toValues: (resource: Resource) => Values
  read: () => Promise<{ data: Resource; response: Response }>
  write: (values: Output, headers: Condition) => Promise<{ data: Resource }>
  meta: MutationMeta
  onSaved: (saved: Resource, sent: Output) => void
  /** Gets what was stored elsewhere in the meantime. */
  onChangedElsewhere?: (stored: Resource) => void
}

/**
 * The way from a form that changes what exists to the API: nothing is saved over a change that its person has not seen
 * (docs/decisions/0016-no-lost-updates.md). The form's default values are what has been seen. After a change elsewhere the
 * fields that nobody typed into follow it, what was typed stays, and a notice leaves the choice.
 * @returns for the form: `notice` goes into it, and while there is one, Save waits for the choice
 */
export function useGuardedSave<Values extends FieldValues, Output extends Values, Resource>(
  form: FilledForm<Values, Output>,
  options: GuardedSave<Values, Output, Resource>,
) {
  const { subject, labels, toValues, read, write, meta, onSaved, onChangedElsewhere } = options
  const names = Object.keys(labels) as Path<Values>[]
  const [conflict, setConflict] = useState<{ values: Values | undefined; stored: StoredFields } | null>(null)

  /** The fields in which neither what was seen nor what is being saved is stored. */
  function changedElsewhere(stored: Values, sent: Output): Path<Values>[] {
    const seen = form.formState.defaultValues as Values
    return names.filter((name) => stored[name] !== seen[name] && stored[name] !== sent[name])
  }

  function showConflict(resource: Resource | null, sent: Output): void {
    if (resource === null) {
      setConflict({ values: undefined, stored: null })
      return
    }
    const values = toValues(resource)
    const stored = changedElsewhere(values, sent).map((name) => [labels[name] ?? name, values[name]] as const)
    setConflict({ values, stored })
    form.reset(values, { keepDirtyValues: true, keepDirty: true })
    onChangedElsewhere?.(resource)
  }

  const save = useMutation({
    mutationFn: (sent: Output) =>
      saveOver({
        read,
        isAsSeen: (stored) => changedElsewhere(toValues(stored), sent).length === 0,
        write: (headers) => write(sent, headers),
      }),
    meta,
    onSuccess: (saved, sent) => {
      if (conflict) closeNotice()
      onSaved(saved, sent)
    },
    onError: (error, sent) => {
      if (error instanceof SaveConflict) showConflict(error.stored as Resource | null, sent)
    },
  })
  const submit = useSubmit(form, save, (values) => values)

  function takeStored(): void {
    // The fields stay registered, so that one of them can have the focus.
    if (conflict?.values) form.reset(conflict.values, { keepFieldsRef: true })
    closeNotice()
  }

  /** The focus was in it. */
  function closeNotice(): void {
    setConflict(null)
    const [first] = names
    if (first) form.setFocus(first)
  }

  const notice = conflict && (
    <ConflictNotice
      subject={subject}
      stored={conflict.stored}
      pending={save.isPending}
      onKeep={submit}
      onTake={takeStored}
    />
  )
  return { onSubmit: submit, pending: save.isPending, notice }
}
