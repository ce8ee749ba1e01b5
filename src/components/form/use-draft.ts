import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Attempt } from '@/lib/api/create-once'
import { finishRestoring, registerForm, restoring } from '@/lib/drafts'
import { useStore } from '@/lib/store'
import { seenIn } from './rebase'

interface DraftOptions {
  /** Whether the form is visible. Closing a dialog discards its text. */
  isLive?: boolean
  /** Of a form that creates a resource. The draft keeps its idempotency key. */
  attempt?: RefObject<Attempt> | undefined
}

/**
 * Keeps the form's text as a draft when the session expires, and restores the draft of this URL (src/lib/drafts.ts).
 */
export function useDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  title: string,
  { isLive = true, attempt }: DraftOptions = {},
): void {
  const router = useRouter()
  useEffect(() => {
    if (!isLive) return
    const withAttempt = (values: Values) => (attempt ? { ...values, attempt: attempt.current } : values)
    return registerForm({
      title,
      values: () => withAttempt(form.getValues()),
      defaults: () => withAttempt(seenIn(form)),
    })
  }, [form, title, isLive, attempt])

  const draft = useStore(restoring)
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
