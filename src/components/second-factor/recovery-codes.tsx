import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import { copyText } from '@/lib/copy-text'
import { saveFile } from '@/lib/save-file'
import { prepareToasts, toast } from '@/lib/toast'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/checkbox'

interface RecoveryCodesProps {
  codes: readonly string[]
  isSaved: boolean
  onSavedChange: (isSaved: boolean) => void
}

/** Shows new recovery codes. Until they are saved, Back, a link or a reload does not leave the page. */
export function RecoveryCodes({ codes, isSaved, onSavedChange }: RecoveryCodesProps) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  // Takes the focus of the removed form.
  useEffect(() => {
    list.current?.focus()
    prepareToasts()
  }, [])
  useBlocker({
    shouldBlockFn: () => {
      if (!isSaved) askToSave()
      return !isSaved
    },
    enableBeforeUnload: !isSaved,
    disabled: isSaved,
  })
  const text = codes.join('\n')
  return (
    <>
      <ul
        ref={list}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it gets the focus
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fit,minmax(11.5rem,1fr))] gap-x-4 gap-y-1 rounded-md border bg-muted px-4 py-3 font-mono"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex gap-2">
        <Button variant="secondary" onClick={() => void copyText(text, 'Recovery codes copied.')}>
          Copy
        </Button>
        <Button variant="secondary" onClick={() => saveFile(new Blob([fileText(text)]), 'recovery-codes.txt')}>
          Download
        </Button>
      </div>
      <div className="mt-4 mb-3 flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <Checkbox id={id} checked={isSaved} onChange={({ target }) => onSavedChange(target.checked)} />
        <label htmlFor={id} className="py-1 font-medium">
          I have saved these codes
        </label>
      </div>
    </>
  )
}

export const recoveryCodesText =
  'Each of these codes logs you in once, after your password, if you do not have your authenticator app. They are not shown again.'

export function askToSave(): void {
  toast.error('Save your recovery codes first.', 'They are not shown again.')
}

function fileText(codes: string): string {
  return `Recovery codes for ${import.meta.env.VITE_APP_NAME} at ${location.host}. Each works once.\n\n${codes}\n`
}
