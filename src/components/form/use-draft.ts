import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Attempt } from '@/lib/api/create-once'
import { finishRestoring, restoring } from '@/lib/drafts'
import { type LiveFormOptions, useLiveForm } from './use-live-form'

/**
 * Keeps the form's text as a draft when the session expires, and restores the draft of this URL (src/lib/drafts.ts).
 */
export function useDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  title: string,
  options: Omit<LiveFormOptions, 'title'> = {},
): void {
  const router = useRouter()
  const { attempt } = options
  useLiveForm(form, { title, ...options })
  const draft = useSelector(restoring)
  useEffect(() => {
    if (!draft || draft.href !== router.state.location.href) return
    const { attempt: kept, ...values } = draft.values
    if (attempt && kept) attempt.current = kept as Attempt
    // The defaults are those of the draft, so that saving detects later changes.
    form.reset({ ...form.getValues(), ...draft.defaults }, { keepFieldsRef: true })
    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true, keepFieldsRef: true })
    finishRestoring()
  }, [form, draft, attempt, router])
}
