import { useSelector } from '@tanstack/react-store'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusHeading } from '@/lib/focus-heading'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import { type RowSelection, usePageSelection } from './row-selection'
import type { List } from './use-list'

interface SelectionBarProps {
  selection: RowSelection
  list: Pick<List<unknown>, 'plural' | 'count'>
  /** Buttons for the selected rows. @param isEmpty whether no row is selected */
  children: (isEmpty: boolean) => ReactNode
}

/** Actions on the selected rows. The bar stays visible below them. */
export function SelectionBar({ selection, list, children }: SelectionBarProps) {
  const id = useId()
  const all = useRef<HTMLInputElement>(null)
  // Takes the focus of the button that opened the bar and was removed.
  useEffect(() => {
    if (document.activeElement === document.body) all.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    function onKeyDown({ key, defaultPrevented, target }: KeyboardEvent): void {
      const isElsewhere = target instanceof Element && target.matches('[type=search], [role=dialog] *, [role=menu] *')
      if (key === 'Escape' && !defaultPrevented && !isElsewhere) selection.clear()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [selection])
  const page = usePageSelection(selection)
  const isAll = useSelector(selection.state, (selected) => selected.isAll)
  const isRest = useSelector(selection.state, (selected) => selected.isRest)
  const size = useSelector(selection.state, ({ rows }) => rows.size)
  const { count, plural } = list
  const number = (isAll ? count : size).toLocaleString('en')
  return (
    <section
      data-selection-bar
      aria-label={`Selected ${plural}`}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-background p-2 pl-4 shadow-lg print:hidden"
    >
      <span className="flex items-center gap-2 pointer-coarse:min-h-11">
        <Checkbox
          ref={all}
          id={id}
          disabled={page === 'empty'}
          checked={page === 'all'}
          onChange={() => selection.pressPage(page !== 'all')}
        />
        <label htmlFor={id} className="py-1 font-medium">
          Select all
        </label>
      </span>
      <output className="text-muted-foreground">
        {isAll ? `All ${number} selected.` : `${number} selected${isRest ? ', all on this page' : ''}.`}
      </output>
      {page === 'all' && !isAll && count > size && (
        <Button
          variant="ghost"
          size="compact"
          className="-ml-2 underline"
          onClick={() => {
            selection.selectAll()
            // The button disappears.
            all.current?.focus({ preventScroll: true })
          }}
        >
          {`Select all ${count.toLocaleString('en')} that match`}
        </Button>
      )}
      <Button
        variant="ghost"
        size="compact"
        className="max-md:ml-auto md:-ml-2"
        onClick={() => {
          selection.clear()
          focusHeading()
        }}
      >
        Cancel
      </Button>
      <span className="flex flex-wrap gap-2 max-md:-ml-1 max-md:[&_button:not([aria-label])_span>svg]:hidden md:ml-auto">
        {children(!isAll && size === 0)}
      </span>
    </section>
  )
}
