import { useBlocker, useRouter } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useCurrentUser } from '@/data/api/current-user'
import { addForm, type Draft, draftOf, finishRestoring, leavesWithDraft, restoreDraft, restoring } from '@/data/drafts'
import { getToken } from '@/data/session'
import { toast } from '@/browser/toast'
import { ConfirmDialog } from '../dialog/confirm-dialog'
import type { PageDialogControl } from '../page-dialogs'
import { changesOf, type Form, hasChanges, withoutChanges } from './use-form'

interface DraftOptions {
  title: string
  dialog?: Pick<PageDialogControl, 'opener' | 'isInSearch'>
  /** Whether the form is visible. Hidden dialogs keep no draft. */
  isVisible?: boolean
}

/** Restores the draft of the URL (src/data/drafts.ts), and asks before the form is left with changes. */
export function useDraft<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  { title, dialog, isVisible = true }: DraftOptions,
) {
  const { state } = form
  const router = useRouter()
  const { id: userId } = useCurrentUser()
  const openForm = useMemo(() => ({ title, state, changes: () => changesOf(form) }), [form, title, state])
  useEffect(() => (isVisible ? addForm(openForm) : undefined), [openForm, isVisible])
  const question = useQuestion(form, dialog, isVisible)

  const draft = useSelector(restoring)
  useEffect(() => {
    if (!draft || !isVisible || draft.href !== router.state.location.href) return
    const { attempt, base } = draft.state
    const values: FieldValues = form.getValues()
    // The draft may be of an older version of the form, with other fields.
    const changes = Object.entries(draft.changes).filter(([name, value]) => typeof value === typeof values[name])
    const names = new Set(changes.map(([name]) => name))
    // With the values that the user had seen, saving detects changes that were made since the draft.
    const seen = Object.entries(base).filter(([name]) => names.has(name))
    state.current = { attempt, base: { ...state.current.base, ...Object.fromEntries(seen) } }
    // `setValue` would not mark fields as changed that are not rendered yet.
    form.reset({ ...values, ...Object.fromEntries(changes) } as Values, { ...withoutChanges, keepDefaultValues: true })
    finishRestoring(draft)
  }, [form, state, isVisible, draft, router])

  function offer(kept: Draft, message: string, token: string | null): void {
    toast.undo(message, async () => {
      // Another user may have logged in.
      if (getToken() !== token) return
      if (!(await restoreDraft(kept, router))) offer(kept, message, token)
    })
  }

  return {
    /** Discards the changes without a question. A toast offers to undo this. */
    discard(message: string, reset: () => void): void {
      const kept = isVisible && draftOf(openForm, userId, router.state.location.href)
      reset()
      if (kept) offer(kept, message, getToken())
    },
    question,
  }
}

/** Asks before a link, Back or a reload discards changes. The end of a session and the dialogs' buttons do not ask. */
function useQuestion<Values extends FieldValues, Output>(
  form: Form<Values, Output>,
  dialog: DraftOptions['dialog'],
  isVisible: boolean,
): ReactNode {
  const opener = useRef<HTMLElement>(null)
  // Most forms are never left with changes, and a mounted dialog would render with each of them.
  const [wasAsked, setAsked] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const isLeft = current.pathname !== next.pathname || dialog?.isInSearch(next.search) === false
      if (!isLeft || !hasChanges(form)) return false
      opener.current = document.activeElement as HTMLElement | null
      setAsked(true)
      return true
    },
    enableBeforeUnload: () => hasChanges(form) && !leavesWithDraft(),
    disabled: !isVisible,
    withResolver: true,
  })
  return (
    wasAsked && (
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        opener={opener}
        onClose={() => blocker.reset?.()}
        title="Discard changes?"
        description="What you have typed is not saved yet."
        cancel="Keep Editing"
        action="Discard Changes"
        pending={false}
        onConfirm={() => {
          // Without an opener, the heading of the next page gets the focus.
          opener.current = dialog?.opener.current ?? null
          blocker.proceed?.()
        }}
      />
    )
  )
}
