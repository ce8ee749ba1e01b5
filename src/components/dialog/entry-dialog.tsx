import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../use-dialog'

export interface EntryDialogProps<Entry> {
  id: string
  /** The entries that are shown. */
  entries: readonly Entry[]
  control: PageDialogControl
}

interface Props<Entry> extends EntryDialogProps<Entry> {
  /** The message when it is not among them. */
  gone: string
  children: (entry: Entry) => ReactNode
}

/** A dialog about an entry of a list that is shown completely. It closes with a message when the entry is gone. */
export function EntryDialog<Entry extends { id: string }>({ id, entries, control, gone, children }: Props<Entry>) {
  const entry = entries.find((one) => one.id === id)
  const isGone = control.open && entry === undefined
  const close = useEffectEvent(() => {
    toast.error(gone)
    control.onClose()
  })
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  return entry && children(entry)
}
