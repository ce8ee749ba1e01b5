import { useSelector } from '@tanstack/react-store'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusHeading } from '@/lib/focus-heading'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import type { RowSelection } from './row-selection'
import type { List } from './use-list'

const none: ReadonlySet<string> = new Set()

interface SelectionBarProps {
  selection: RowSelection
  list: Pick<List<unknown>, 'plural' | 'countText'>
  /** The rows of the page that can be selected. */
  ids: readonly string[]
  /** Buttons for the selected rows. */
  children: (ids: readonly string[]) => ReactNode
}

/** Actions on the selected rows. The bar stays visible below them. */
export function SelectionBar({ selection, list, ids, children }: SelectionBarProps) {
  const id = useId()
  const all = useRef<HTMLInputElement>(null)
  // Takes the focus of the button that opened the bar and was removed.
  useEffect(() => all.current?.focus({ preventScroll: true }), [])
  const chosen = useSelector(selection, (selected) => selected ?? none)
  const chosenHere = ids.filter((one) => chosen.has(one))
  const isAll = chosenHere.length === ids.length && ids.length > 0
  return (
    <section
      data-selection-bar
      aria-label={`Selected ${list.plural}`}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-background p-2 pl-4 shadow-lg print:hidden"
    >
      <span className="flex items-center gap-2 pointer-coarse:min-h-11">
        <Checkbox ref={all} id={id} checked={isAll} onChange={() => selection.set(new Set(isAll ? [] : ids))} />
        <label htmlFor={id} className="py-1 font-medium">
          Select all
        </label>
      </span>
      <output className="grow text-muted-foreground">{list.countText(chosenHere.length)} selected</output>
      <span className="flex flex-wrap gap-2 max-md:[&_svg]:hidden">
        {children(chosenHere)}
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
