import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { mayPrefetch } from '@/data/prefetch'
import { Menu } from '../menu'
import type { MenuEntry } from '../radix-menu'
import { buttonClass } from '../ui/button'
import { Tooltip } from '../ui/tooltip'
import type { Column } from './column'

/** The column with the menus of the rows. */
export function menuColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { header: 'Actions', role: 'actions', width: 4.5, cell }
}

interface RowMenuProps {
  /** Title or address of the row. */
  name: string
  disabledFor?: string | undefined
  /** Reads what the dialogs of the row need. */
  onOpen?: () => void
  /** @param opener the menu's button */
  onEdit: (opener: HTMLElement) => void
  /** Entries between Edit and Delete. */
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
        {/* Like Lucide's, with two elements instead of four, as there are fifty. */}
        <svg aria-hidden viewBox="0 0 24 24" className="stroke-current stroke-4 [stroke-linecap:round]">
          <path d="M5 12h.01M12 12h.01M19 12h.01" />
        </svg>
      </Menu>
    </Tooltip>
  )
}
