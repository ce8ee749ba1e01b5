import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm, type Confirmation } from './confirm-dialog'

interface DialogIfPresentProps<Entry> {
  entry: Entry | undefined
  /** The message if the entry is absent. */
  gone: string
  control: PageDialogControl
  children: (entry: Entry) => ReactNode
}

/** The dialog for an entry of a list on the page, such as a passkey. Without the entry, shows `gone` and closes. */
export function DialogIfPresent<Entry>({ entry, gone, control, children }: DialogIfPresentProps<Entry>) {
  return entry === undefined ? <Refusal control={control} reason={gone} /> : children(entry)
}

/** Closes a dialog that the page does not offer, but a URL can open. */
export function Refusal({ control, reason }: { control: PageDialogControl; reason?: string }): null {
  const close = useEffectEvent(() => {
    if (!control.open) return
    if (reason !== undefined) toast.error(reason)
    control.onClose()
  })
  useEffect(() => close(), [])
  return null
}

export function ConfirmIfPresent(props: Omit<DialogIfPresentProps<Confirmation>, 'children'>) {
  return <DialogIfPresent {...props}>{(question) => <Confirm {...props.control} {...question} />}</DialogIfPresent>
}
