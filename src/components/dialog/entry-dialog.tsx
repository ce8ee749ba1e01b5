import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm, type Confirmation } from './confirm-dialog'

interface EntryDialogProps<Entry> {
  entry: Entry | undefined
  /** The message if the entry is absent. */
  gone: string
  control: PageDialogControl
  children: (entry: Entry) => ReactNode
}

export function EntryDialog<Entry>({ entry, gone, control, children }: EntryDialogProps<Entry>) {
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

export function ConfirmEntry(props: Omit<EntryDialogProps<Confirmation>, 'children'>) {
  return <EntryDialog {...props}>{(question) => <Confirm {...props.control} {...question} />}</EntryDialog>
}
