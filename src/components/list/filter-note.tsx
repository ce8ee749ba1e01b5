import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button'
import { useFocusLeft } from '../use-focus-left'
import type { ListFilters } from './use-list-search'

interface FilterNoteProps {
  filters: ListFilters<unknown>
  /** The search parameter. */
  name: string
  /** The name of the button that removes the filter. */
  clear: string
  children: ReactNode
}

/** A filter that was set by a link. */
export function FilterNote(props: FilterNoteProps) {
  return props.filters.valueOf(props.name) !== '' && <Note {...props} />
}

function Note({ filters, name, clear, children }: FilterNoteProps) {
  const note = useRef<HTMLSpanElement>(null)
  useFocusLeft(note)
  return (
    <span ref={note} className="inline-flex max-w-full items-center gap-1 rounded-md bg-muted pl-3">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <Button
        variant="ghost"
        size="icon"
        className="shrink-0"
        aria-label={clear}
        title={clear}
        onClick={() => {
          filters.searchBox.current?.focus()
          filters.change({ [name]: undefined })
        }}
      >
        <X aria-hidden />
      </Button>
    </span>
  )
}
