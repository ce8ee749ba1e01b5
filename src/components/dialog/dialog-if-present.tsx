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
  const isGone = control.open && entry === undefined
  const close = useEffectEvent(() => {
    toast.error(gone)
    control.onClose()
  })
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  return entry !== undefined && children(entry)
}

export function ConfirmIfPresent(props: Omit<DialogIfPresentProps<Confirmation>, 'children'>) {
  return <DialogIfPresent {...props}>{(question) => <Confirm {...props.control} {...question} />}</DialogIfPresent>
}
