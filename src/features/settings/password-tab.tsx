import { useState } from 'react'
import { onDemand } from '@/components/on-demand'
import { Button } from '@/components/ui/button'

/** Its code comes when the tab is first opened, or before that: for `usePreload`. */
export const passwordForm = onDemand(async () => (await import('./password-form')).PasswordForm)

/** @param isShown whether the tab is the one that is open */
export function PasswordTab({ isShown }: { isShown: boolean }) {
  const [state, setState] = useState<'unopened' | 'opened' | 'failed'>('unopened')
  if (isShown && state === 'unopened') setState('opened')
  if (state === 'opened') return <passwordForm.Part onFailure={() => setState('failed')} />
  if (state === 'unopened') return null
  return (
    <>
      <p className="mb-4">The form could not be loaded.</p>
      <Button
        onClick={({ currentTarget }) => {
          // The button goes.
          currentTarget.closest<HTMLElement>('[tabindex]')?.focus()
          setState('opened')
        }}
      >
        Try again
      </Button>
    </>
  )
}
