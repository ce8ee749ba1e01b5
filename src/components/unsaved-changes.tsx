import { useBlocker } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { useCallback, useRef, useState } from 'react'
import { hasChanges, type UnsavedForm, unsavedForms } from '@/data/unsaved-forms'
import { ConfirmDialog } from './dialog/confirm-dialog'

interface Place {
  pathname: string
  search: object
}

/** The changed form that asks before it is left. */
function findChanged(isLeft: (form: UnsavedForm) => boolean): UnsavedForm | undefined {
  return unsavedForms.get().find((form) => form.title !== undefined && isLeft(form) && hasChanges(form))
}

/** Asks before a link, Back or a reload discards changes. The end of a session and the dialogs' buttons do not ask. */
export function UnsavedChanges() {
  const isNeeded = useSelector(unsavedForms, (all) => all.some(({ title }) => title !== undefined))
  const opener = useRef<HTMLElement>(null)
  const [left, setLeft] = useState<UnsavedForm>()
  const blocker = useBlocker({
    shouldBlockFn: useCallback(({ current, next }: { current: Place; next: Place }) => {
      const changed = findChanged(
        ({ dialog }) => current.pathname !== next.pathname || dialog?.isInSearch(next.search) === false,
      )
      if (!changed) return false
      opener.current = document.activeElement as HTMLElement | null
      setLeft(changed)
      return true
    }, []),
    enableBeforeUnload: useCallback(() => findChanged(() => true) !== undefined, []),
    disabled: !isNeeded,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    left && (
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        opener={opener}
        onClose={stay}
        title="Discard changes?"
        description="What you have typed is not saved yet."
        cancel="Keep Editing"
        action="Discard Changes"
        pending={false}
        onConfirm={() => {
          // Without an opener, the heading of the next page gets the focus.
          opener.current = left.dialog?.opener.current ?? null
          blocker.proceed?.()
        }}
      />
    )
  )
}
