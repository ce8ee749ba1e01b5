import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '@/browser/toast'
import { LabelledCheckbox } from '../ui/labelled-checkbox'

/** The id of the toast by which `ask` asks to save. */
export const ASK_TO_SAVE = 'save-first'

interface ShownOnceProps {
  /** `I have saved these codes` */
  label: string
  isSaved: boolean
  onSavedChange: (isSaved: boolean) => void
  /** Asks to save. A dialog also calls it instead of closing. */
  ask: () => void
}

/** A box for what is not shown again. The page is not left before it is checked. */
export function ShownOnce({ label, isSaved, onSavedChange, ask }: ShownOnceProps) {
  // Back, a link or a reload does not leave the page. The end of the session does.
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
