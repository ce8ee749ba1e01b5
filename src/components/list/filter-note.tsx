import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useOwnerEmail } from '@/data/api/use-owner'
import { IconButton } from '../ui/icon-button'
import { useFocusLeft } from '../disappearing-button'
import { UserText } from '../ui/user-text'

interface FilterNoteProps {
  clear: string
  onClear: () => void
  children: ReactNode
}

export function FilterNote({ clear, onClear, children }: FilterNoteProps) {
  const note = useRef<HTMLSpanElement>(null)
  useFocusLeft(note)
  return (
    <span
      ref={note}
      className="inline-flex min-h-9 max-w-full items-center gap-1 rounded-md border border-primary/40 bg-muted pl-3 shadow-xs"
    >
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <IconButton className="-my-px shrink-0" label={clear} onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    </span>
  )
}

interface FilterOwnerProps {
  title: string
  id: string | undefined
  onClear: () => void
}

export function FilterOwner({ title, id, onClear }: FilterOwnerProps) {
  const owner = useOwnerEmail(id)
  return (
    id && (
      <FilterNote clear={`Show the ${title.toLowerCase()} of everyone`} onClear={onClear}>
        {`${title} of `}
        <UserText>{owner ?? 'one owner'}</UserText>
      </FilterNote>
    )
  )
}
