import type { LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { focusHeading } from '@/lib/focus-heading'
import { countText } from '@/lib/range-text'
import type { RowSelection } from './row-selection'
import { Button } from './ui/button'
import { Checkbox } from './ui/checkbox'

export interface SelectionAction {
  label: string
  icon: LucideIcon
  onSelect: (ids: readonly string[], opener: HTMLElement) => void
}

interface SelectionBarProps {
  selection: RowSelection
  /** Those rows of the page that can be chosen. */
  ids: readonly string[]
  /** One of the rows, as in `1 user`. */
  noun: string
  actions: readonly SelectionAction[]
}

/** What can be done with the chosen rows. It stays in view below them. */
export function SelectionBar({ selection, ids, noun, actions }: SelectionBarProps) {
  const id = useId()
  const all = useRef<HTMLInputElement>(null)
  // The button that opened this is gone.
  useEffect(() => all.current?.focus({ preventScroll: true }), [])
  const chosen = useSyncExternalStore(selection.subscribe, selection.get) ?? new Set<string>()
  const chosenHere = ids.filter((one) => chosen.has(one))
  const isAll = chosenHere.length === ids.length && ids.length > 0
  return (
    <section
      aria-label={`Selected ${noun}s`}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-input bg-background p-2 pl-4 shadow-lg print:hidden"
    >
      <span className="flex items-center gap-2 pointer-coarse:min-h-11">
        <Checkbox ref={all} id={id} checked={isAll} onChange={() => selection.set(new Set(isAll ? [] : ids))} />
        <label htmlFor={id} className="py-1 font-medium">
          Select all
        </label>
      </span>
      <output className="grow text-muted-foreground">{countText(chosenHere.length, noun)} selected</output>
      <span className="flex flex-wrap gap-2 max-md:[&_svg]:hidden">
        {actions.map(({ label, icon: Icon, onSelect }) => (
          <Button
            key={label}
            variant="secondary"
            disabled={chosenHere.length === 0}
            onClick={({ currentTarget }) => onSelect(chosenHere, currentTarget)}
          >
            <Icon aria-hidden />
            {label}
          </Button>
        ))}
        <Button
          variant="ghost"
          onClick={() => {
            selection.set(null)
            focusHeading()
          }}
        >
          Cancel
        </Button>
      </span>
    </section>
  )
}
