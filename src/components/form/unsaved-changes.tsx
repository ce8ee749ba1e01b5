import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { interaction } from '../lazy/interaction'
import { useLazy } from '../lazy/lazy'
import type { PageDialogControl } from '../use-dialog'
import { hasChanges } from './stored-values'

interface UnsavedChangesProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>
  /** Whether the form is visible. */
  isLive?: boolean
  /** The dialog of the form. Such a form also closes when the dialog in the URL changes. */
  dialog?: Pick<PageDialogControl, 'opener' | 'isInSearch'>
}

interface Place {
  pathname: string
  search: object
}

/** Asks before a link, Back or a reload discards changes. The end of a session and the dialog's buttons do not ask. */
export function UnsavedChanges<Values extends FieldValues, Output>(props: UnsavedChangesProps<Values, Output>) {
  const { form, isLive = true, dialog } = props
  const isInSearch = dialog?.isInSearch
  const opener = useRef<HTMLElement>(null)
  const [wasShown, setWasShown] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }: { current: Place; next: Place }) => {
        const isLeft = current.pathname !== next.pathname || isInSearch?.(next.search) === false
        if (!isLeft || !hasChanges(form)) return false
        opener.current = document.activeElement as HTMLElement | null
        setWasShown(true)
        return true
      },
      [form, isInSearch],
    ),
    enableBeforeUnload: useCallback(() => hasChanges(form), [form]),
    disabled: !isLive,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  const code = useLazy(interaction, wasShown, stay)
  return (
    wasShown &&
    code && (
      <code.ConfirmDialog
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
          opener.current = dialog?.opener.current ?? null
          blocker.proceed?.()
        }}
      />
    )
  )
}
