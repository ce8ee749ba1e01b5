import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from '../ui/icon-button'
import { useFocusLeft } from '../disappearing-button'
import type { Filters } from './use-filters'

interface FilterNoteProps {
  filters: Pick<Filters<never>, 'searchBox'>
  clear: string
  onClear: () => void
  children: ReactNode
}

export function FilterNote({ filters, clear, onClear, children }: FilterNoteProps) {
  const note = useRef<HTMLSpanElement>(null)
  useFocusLeft(note)
  return (
    <span ref={note} className="inline-flex max-w-full items-center gap-1 rounded-md bg-muted pl-3">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <IconButton
        className="shrink-0"
        label={clear}
        onClick={() => {
          filters.searchBox.current?.focus()
          onClear()
        }}
      >
        <X aria-hidden />
      </IconButton>
    </span>
  )
}
