import { type LucideIcon, Trash2 } from 'lucide-react'
import type { NeedsCapability } from '@/data/api/capabilities'
import type { OpenDialog } from '../page-dialogs'

export interface Action<Kind extends string = string> extends NeedsCapability {
  kind: Kind
  label: string
  icon: LucideIcon
  className?: string
  /** The `id` of its dialog, if it is not that of a row. */
  id?: string
}

export const deletion = { kind: 'delete', label: 'Delete', icon: Trash2, className: 'text-destructive' } as const

export const entriesOf = (actions: readonly Action[], open: OpenDialog, id?: string) =>
  actions.map(({ kind, id: own = id, ...entry }) => ({
    ...entry,
    onSelect: (opener: HTMLElement) => open({ kind, ...(own !== undefined && { id: own }) }, opener),
  }))
