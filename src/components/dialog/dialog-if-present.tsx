import { useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm, type Confirmation } from './confirm-dialog'
import type { DialogControl } from './dialog'

/** Closes a dialog that the page does not offer, but a URL can open. */
export function Refusal({ control, reason }: { control: DialogControl; reason?: string }): null {
  const close = useEffectEvent(() => {
    if (!control.open) return
    if (reason !== undefined) toast.error(reason)
    control.onClose()
  })
  useEffect(() => close(), [])
  return null
}

interface ConfirmIfPresentProps {
  /** The question about an entry of a list on the page, such as a passkey. */
  entry: Confirmation | undefined
  /** The message if the entry is absent. */
  gone: string
  control: PageDialogControl
}

export function ConfirmIfPresent({ entry, gone, control }: ConfirmIfPresentProps) {
  return entry ? <Confirm {...control} {...entry} /> : <Refusal control={control} reason={gone} />
}
