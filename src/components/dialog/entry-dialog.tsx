import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Confirm, type Confirmation } from './confirm-dialog'

interface EntryDialogProps<Entry> {
  /** Absent if it is not in the list. */
  entry: Entry | undefined
  /** The message then. */
  gone: string
  control: PageDialogControl
  children: (entry: Entry) => ReactNode
}

/** A dialog about an entry of a list that is shown completely. It closes with a message when the entry is gone. */
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

/** Asks before something is done with such an entry. */
export function ConfirmEntry(props: ConfirmEntryProps) {
  return <EntryDialog {...props}>{(question) => <Confirm {...props.control} {...question} />}</EntryDialog>
}
