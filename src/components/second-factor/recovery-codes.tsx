import type { ComponentProps } from 'react'
import { copyText } from '@/browser/copy-text'
import { takeFocus } from '@/browser/focus-heading'
import { saveFile } from '@/browser/save-file'
import { toast } from '@/browser/toast'
import { ASK_TO_SAVE, ShownOnce } from '../dialog/shown-once'
import { Button } from '../ui/button'

type RecoveryCodesProps = Pick<ComponentProps<typeof ShownOnce>, 'isSaved' | 'onSavedChange'> & {
  codes: readonly string[]
}

export function RecoveryCodes({ codes, ...saved }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <>
      <ul
        ref={takeFocus}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it gets the focus
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(11.5rem,100%),1fr))] gap-x-4 gap-y-1 rounded-md border bg-muted px-4 py-3 font-mono"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap tiny:whitespace-normal">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => void copyText(text, 'Recovery codes copied.')}>
          Copy
        </Button>
        <Button variant="secondary" onClick={() => saveFile(new Blob([fileText(text)]), 'recovery-codes.txt')}>
          Download
        </Button>
      </div>
      <ShownOnce label="I have saved these codes" {...saved} ask={askToSave} />
    </>
  )
}

export const recoveryCodesText =
  'Each of these codes logs you in once, after your password, if you do not have your authenticator app. They are not shown again.'

export function askToSave(): void {
  toast.error('Save your recovery codes first.', 'They are not shown again.', ASK_TO_SAVE)
}

function fileText(codes: string): string {
  return `Recovery codes for ${import.meta.env.VITE_APP_NAME} at ${location.host}. Each works once.\n\n${codes}\n`
}
