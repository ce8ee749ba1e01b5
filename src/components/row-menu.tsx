import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { buttonClass } from './ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from './ui/dropdown-menu'

interface RowMenuProps {
  /** Title or address of the row. */
  name: string
  disabled?: boolean
  onEdit: () => void
  onDelete: () => void
}

/** What can be done with one row of a table. */
export function RowMenu({ name, disabled = false, onEdit, onDelete }: RowMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={`Actions for ${name}`}
        disabled={disabled}
        className={buttonClass('ghost', 'icon')}
      >
        <Ellipsis aria-hidden />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onEdit}>
          <Pencil aria-hidden />
          Edit
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onDelete} className="text-destructive">
          <Trash2 aria-hidden />
          Delete
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
