import { type RefObject, useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Attempt } from '@/lib/api/create-once'
import { registerForm } from '@/lib/drafts'
import { defaultsOf } from './stored-values'

export interface LiveFormOptions {
  /** The title of the draft. Without it, there is none. */
  title?: string
  /** Whether the form is visible. Closing a dialog discards its text. */
  isLive?: boolean
  /** Of a form that creates a resource. The draft keeps its idempotency key. */
  attempt?: RefObject<Attempt> | undefined
}

/** Makes the text of the form known, so that the application does not discard it. */
export function useLiveForm<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  { title, isLive = true, attempt }: LiveFormOptions = {},
): void {
  useEffect(() => {
    if (!isLive) return
    const withAttempt = (values: Values) => (attempt ? { ...values, attempt: attempt.current } : values)
    return registerForm({
      title,
      values: () => withAttempt(form.getValues()),
      defaults: () => withAttempt(defaultsOf(form)),
    })
  }, [form, title, isLive, attempt])
}
