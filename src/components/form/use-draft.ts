import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useSyncExternalStore } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Attempt } from '@/lib/api/create-once'
import { finishRestoring, getRestoring, onRestoring, registerForm } from '@/lib/drafts'
import { seenIn } from './rebase'

interface DraftOptions {
  /** Whether the form can be seen. Closing a dialog gives its text up. */
  isLive?: boolean
  /** Of a form that creates something: the draft keeps its idempotency key. */
  attempt?: RefObject<Attempt> | undefined
}

/** Keeps the form's text when the session expires, and takes it back from the draft of this address (lib/drafts.ts). */
export function useDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  { isLive = true, attempt }: DraftOptions = {},
): void {
  const router = useRouter()
  useEffect(() => {
    if (!isLive) return
    const withAttempt = (values: Values) => (attempt ? { ...values, attempt: attempt.current } : values)
    return registerForm({
      values: () => withAttempt(form.getValues()),
      defaults: () => withAttempt(seenIn(form)),
    })
  }, [form, isLive, attempt])

  const draft = useSyncExternalStore(onRestoring, getRestoring)
  useEffect(() => {
    if (!draft || draft.href !== router.state.location.href) return
    const { attempt: kept, ...values } = draft.values
    if (attempt && kept) attempt.current = kept as Attempt
    // What was seen is what the draft says, so that a change since is noticed on saving.
    form.reset({ ...form.getValues(), ...draft.defaults }, { keepFieldsRef: true })
    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true, keepFieldsRef: true })
    finishRestoring()
  }, [form, draft, attempt, router])
}
