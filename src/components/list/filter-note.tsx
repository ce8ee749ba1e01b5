import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button'
import { useFocusLeft } from '../use-focus-left'

interface FilterNoteProps {
  clear: string
  onClear: () => void
  children: ReactNode
}

export function FilterNote({ clear, onClear, children }: FilterNoteProps) {
  const note = useRef<HTMLSpanElement>(null)
  useFocusLeft(note)
  return (
    <span ref={note} className="inline-flex items-center gap-1 rounded-md bg-muted pl-3">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <Button variant="ghost" size="icon" aria-label={clear} title={clear} onClick={onClear}>
        <X aria-hidden />
      </Button>
    </span>
  )
}
