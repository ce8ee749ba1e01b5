import { useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type RefObject, useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Attempt } from '@/lib/api/create-once'
import { finishRestoring, restoring } from '@/lib/drafts'
import { type Editor, registerEditor } from '@/lib/editors'
import { defaultsOf } from './stored-values'

interface EditorOptions extends Partial<Pick<Editor, 'title' | 'dialog'>> {
  /** Whether the form is visible. Closing a dialog discards its text. */
  isVisible?: boolean
  /** Of a form that creates a resource. The draft keeps its idempotency key. */
  attempt?: RefObject<Attempt> | undefined
}

/**
 * Protects the text of a form (src/lib/editors.ts). A form with a title takes the draft of its URL (src/lib/drafts.ts).
 */
export function useEditor<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  { title, dialog, isVisible = true, attempt }: EditorOptions = {},
): void {
  const { opener, isInSearch } = dialog ?? {}
  useEffect(() => {
    if (!isVisible) return
    const withAttempt = (values: Values) => (attempt ? { ...values, attempt: attempt.current } : values)
    return registerEditor({
      title,
      values: () => withAttempt(form.getValues()),
      defaults: () => withAttempt(defaultsOf(form)),
      dialog: opener && isInSearch && { opener, isInSearch },
    })
  }, [form, title, isVisible, attempt, opener, isInSearch])

  const router = useRouter()
  const draft = useSelector(restoring)
  useEffect(() => {
    if (!draft || !isVisible || title === undefined || draft.href !== router.state.location.href) return
    const { attempt: kept, ...values } = draft.values
    if (attempt && kept) attempt.current = kept as Attempt
    // The defaults are those of the draft, so that saving detects later changes.
    form.reset({ ...form.getValues(), ...draft.defaults }, { keepFieldsRef: true })
    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true, keepFieldsRef: true })
    finishRestoring()
  }, [form, title, isVisible, draft, attempt, router])
}
