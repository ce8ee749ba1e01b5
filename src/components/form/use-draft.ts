import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type RefObject, useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useCurrentUser } from '@/data/api/current-user'
import { getToken } from '@/data/session'
import { toast } from '@/data/toast'
import {
  addForm,
  type Draft,
  draftOf,
  finishRestoring,
  restoreDraft,
  restoring,
  type UnsavedForm,
} from '@/data/unsaved-forms'
import type { SaveState } from './use-edited'
import { withoutChanges } from './use-zod-form'

type Form<Values extends FieldValues, Output> = UseFormReturn<Values, unknown, Output>

/** The values that the user has changed. Reads them without a subscription. */
export function changesOf<Values extends FieldValues, Output>(form: Form<Values, Output>): FieldValues {
  const { defaultValues } = form.formState
  return Object.fromEntries(Object.entries(form.getValues()).filter(([name, value]) => value !== defaultValues?.[name]))
}

/** Protects the text of a form without a draft, such as a password, from a reload. */
export function useUnsavedText<Values extends FieldValues, Output>(form: Form<Values, Output>): void {
  useEffect(() => addForm({ changes: () => changesOf(form) }), [form])
}

interface DraftOptions extends Pick<UnsavedForm, 'dialog'> {
  title: string
  state: RefObject<SaveState>
  /** Whether the form is visible. Closing a dialog discards its text. */
  isVisible?: boolean
}

/**
 * Keeps the text of a form that is left: it asks first, and takes the draft of its URL (src/data/unsaved-forms.ts).
 * @returns a function that discards the changes without a question. A toast can bring them back for some seconds.
 */
export function useDraft<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  { title, state, dialog, isVisible = true }: DraftOptions,
): (message: string, discard: () => void) => void {
  const router = useRouter()
  const { id: userId } = useCurrentUser()
  const { opener, isInSearch } = dialog ?? {}
  useEffect(() => {
    if (!isVisible) return
    return addForm({
      title,
      state,
      changes: () => changesOf(form),
      dialog: opener && isInSearch && { opener, isInSearch },
    })
  }, [form, title, state, isVisible, opener, isInSearch])

  const draft = useSelector(restoring)
  useEffect(() => {
    if (!draft || !isVisible || draft.href !== router.state.location.href) return
    const { attempt, base } = draft.state as SaveState
    const names = Object.keys(draft.changes)
    // Saving detects what has changed since the draft.
    const seen = Object.entries(base).filter(([name]) => names.includes(name))
    state.current = { attempt, base: { ...state.current.base, ...Object.fromEntries(seen) } }
    // Not `setValue`, which marks no field that is not rendered yet.
    form.reset({ ...form.getValues(), ...draft.changes }, { ...withoutChanges, keepDefaultValues: true })
    finishRestoring()
  }, [form, state, isVisible, draft, router])

  function offer(kept: Draft, message: string, token: string | null): void {
    toast.undo(message, async () => {
      // Another user may be logged in.
      if (getToken() !== token) return
      if (!(await restoreDraft(kept, router))) offer(kept, message, token)
    })
  }

  return (message, discard) => {
    const kept =
      isVisible && draftOf({ title, state, changes: () => changesOf(form) }, userId, router.state.location.href)
    discard()
    if (kept) offer(kept, message, getToken())
  }
}
