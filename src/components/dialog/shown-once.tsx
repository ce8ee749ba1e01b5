import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '@/browser/toast'
import { LabelledCheckbox } from '../ui/checkbox'

export const ASK_TO_SAVE = 'save-first'

interface ShownOnceProps {
  label: string
  isSaved: boolean
  onSavedChange: (isSaved: boolean) => void
  /** Asks the user to save. Dialogs also call it instead of closing. */
  ask: () => void
}

/** A checkbox for something that is not shown again. The user cannot leave the page before checking it. */
export function ShownOnce({ label, isSaved, onSavedChange, ask }: ShownOnceProps) {
  // The end of the session is not blocked, because its navigation sets `ignoreBlocker`.
  useBlocker({
    shouldBlockFn: () => {
      if (!isSaved) ask()
      return !isSaved
    },
    enableBeforeUnload: !isSaved,
    disabled: isSaved,
  })
  useEffect(() => (isSaved ? toast.dismiss(ASK_TO_SAVE) : () => toast.dismiss(ASK_TO_SAVE)), [isSaved])
  return (
    <LabelledCheckbox
      className="mt-4 mb-3"
      label={label}
      checked={isSaved}
      onChange={({ target }) => onSavedChange(target.checked)}
    />
  )
}
