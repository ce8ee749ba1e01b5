import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { mayPrefetch } from '@/data/prefetch'
import { Menu } from '../menu'
import type { MenuEntry } from '../radix-menu'
import { buttonClass } from '../ui/button'
import { Tooltip } from '../ui/tooltip'
import type { Column } from './column'

export function menuColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { header: 'Actions', role: 'actions', width: 4.5, cell }
}

interface RowMenuProps {
  name: string
  disabledFor?: string | undefined
  onOpen?: () => void
  onEdit: (opener: HTMLElement) => void
  more?: readonly MenuEntry[]
  onDelete: (opener: HTMLElement) => void
}

export function RowMenu({ name, disabledFor, onOpen, onEdit, more, onDelete }: RowMenuProps) {
  return (
    <Tooltip label={disabledFor === undefined ? 'Actions' : undefined} className="inline-block">
      <Menu
        aria-label={`Actions for ${name}`}
        disabled={disabledFor !== undefined}
        title={disabledFor}
        className={buttonClass('ghost', 'icon')}
        align="end"
        onOpen={() => void (mayPrefetch() && onOpen?.())}
        entries={[
          { label: 'Edit', icon: Pencil, onSelect: onEdit },
          ...(more ?? []),
          { label: 'Delete', icon: Trash2, onSelect: onDelete, className: 'text-destructive' },
        ]}
      >
        <Ellipsis aria-hidden />
      </Menu>
    </Tooltip>
  )
}
