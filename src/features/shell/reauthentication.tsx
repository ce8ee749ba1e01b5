import { useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { lazyPart } from '@/components/lazy'
import { reauthenticationRequest } from '@/data/reauthentication'

const ReauthenticationDialog = lazyPart(
  async () => (await import('./dialogs/reauthentication-dialog')).ReauthenticationDialog,
)

export function Reauthentication() {
  const request = useSelector(reauthenticationRequest)
  // The dialog is still shown during its exit animation.
  const [shown, setShown] = useState({ request, opening: 0 })
  if (request && request !== shown.request) setShown({ request, opening: shown.opening + 1 })
  useEffect(() => () => reauthenticationRequest.get()?.settle(false), [])
  return (
    shown.request && (
      <ReauthenticationDialog
        key={shown.opening}
        open={request !== null}
        settle={shown.request.settle}
        onFailure={() => request?.settle(false)}
      />
    )
  )
}
