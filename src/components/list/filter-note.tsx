import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOwnerEmail } from '@/data/api/use-owner'
import { IconButton } from '../ui/button'
import { keepFocus } from '../buttons'
import { UserText } from '../ui/user-text'

export function FilterNote(props: { clear: string; onClear: () => void; children: ReactNode }) {
  return (
    <span
      ref={keepFocus}
      className="inline-flex min-h-9 max-w-full items-center gap-1 rounded-md border border-primary/40 bg-muted pl-3 shadow-xs"
    >
      <span className="min-w-0 wrap-anywhere">{props.children}</span>
      <IconButton className="-my-px shrink-0" label={props.clear} onClick={props.onClear}>
        <X aria-hidden />
      </IconButton>
    </span>
  )
}

export function FilterOwner(props: { title: string; id: string | undefined; onClear: () => void }) {
  const { title, id, onClear } = props
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
