import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm, type Confirmation } from './confirm-dialog'

interface EntryDialogProps<Entry> {
  /** Absent if the list does not contain it. */
  entry: Entry | undefined
  /** The message if the entry is absent. */
  gone: string
  control: PageDialogControl
  children: (entry: Entry) => ReactNode
}

/** A dialog about an entry of a list without pages. It closes with a message when the entry disappears. */
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

type ConfirmEntryProps = Omit<EntryDialogProps<Confirmation>, 'children'>

export function ConfirmEntry(props: ConfirmEntryProps) {
  return <EntryDialog {...props}>{(question) => <Confirm {...props.control} {...question} />}</EntryDialog>
}
