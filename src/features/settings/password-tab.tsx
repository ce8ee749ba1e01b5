import { useState } from 'react'
import { lazyPart } from '@/components/lazy-part'

const passwordForm = lazyPart(async () => (await import('./password-form')).PasswordForm)

/** Loads its form when the tab is first opened, or earlier when the browser is idle. */
export function PasswordTab({ isShown }: { isShown: boolean }) {
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  return wasShown && <passwordForm.Part />
}
