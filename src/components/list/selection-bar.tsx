import { useSelector } from '@tanstack/react-store'
import { useEffect, useId } from 'react'
import { useKeyDown } from '@/browser/use-key-down'
import { isTyping } from '@/lib/keys'
import { keepFocus, OpenButton } from '../buttons'
import { IconMenu } from '../menu'
import { Button } from '../ui/button'
import type { OpenDialog } from '../page-dialogs'
import { type Action, entriesOf } from './list-actions'
import { PageCheckbox } from './row-selection'
import { type RowSelection, usePageSelection } from './selection'
import type { ListState } from './use-list'

interface SelectionBarProps {
  selection: RowSelection
  list: Pick<ListState<unknown>, 'plural' | 'count'>
  /** The first two are buttons, the others are in a menu. */
  actions: readonly Action[]
  open: OpenDialog
}

const MAX_BUTTONS = 2

export function enterSelectionBar(): void {
  const action = document.querySelector<HTMLElement>('[data-selection-bar] [data-actions] button:enabled')
  if (action) action.focus()
  else focusFirst()
}

export function SelectionBar({ selection, list, actions, open }: SelectionBarProps) {
  const id = useId()
  // The button that shows the bar disappears, so the bar takes its focus.
  useEffect(() => {
    if (document.activeElement === document.body && isEmpty(selection)) focusFirst()
  }, [selection])
  useKeyDown((event) => {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event
    const isElsewhere = !(target instanceof Element) || target.matches('[role=dialog] *, [role=menu] *')
    if (defaultPrevented || ctrlKey || metaKey || altKey || isElsewhere) return
    if (key === 'Escape' && !target.matches('[type=search]')) selection.clear()
    if (key !== '.' || isTyping(target)) return
    event.preventDefault()
    enterSelectionBar()
  })
  const page = usePageSelection(selection)
  const { rows, isAll, last } = useSelector(selection.state)
  const shown = useSelector(selection.page)
  const size = rows.size
  // If rows were deselected after Select all, only those of this page are still selected, and the bar says so.
  const isRest = last.wasAll && size > 0 && size === shown.filter((row) => rows.has(row.id)).length
  const { count, plural } = list
  const isNone = isEmpty(selection)
  const number = (isAll ? count : size).toLocaleString('en')
  return (
    <section
      ref={keepFocus}
      id="selected"
      data-selection-bar
      aria-label={`Selected ${plural}`}
      className="sticky bottom-2 z-20 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-background p-2 pl-4 shadow-lg print:hidden"
    >
      {/* In a table, the heading has this box instead. */}
      <span className="flex items-center gap-2 columns:hidden pointer-coarse:min-h-11">
        <PageCheckbox id={id} selection={selection} />
        <label htmlFor={id} className="py-1 font-medium">
          All on this page
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
            focusFirst()
          }}
        >
          {`Select all ${count.toLocaleString('en')} that match`}
        </Button>
      )}
      <Button variant="ghost" size="compact" className="max-md:ml-auto md:-ml-2" onClick={selection.clear}>
        Clear
      </Button>
      <span
        data-actions
        className="flex flex-wrap gap-2 max-[22rem]:-ml-1 max-md:[&_button:not([aria-label])_span>svg]:hidden md:ml-auto"
      >
        {actions.slice(0, MAX_BUTTONS).map(({ label, icon: Icon, className, ...dialog }) => (
          <OpenButton key={label} open={open} dialog={dialog} className={className} disabled={isNone}>
            <Icon aria-hidden />
            {label}
          </OpenButton>
        ))}
        {actions.length > MAX_BUTTONS && (
          <IconMenu
            label={`More actions on the selected ${plural}`}
            tip="More actions"
            variant="secondary"
            disabled={isNone}
            entries={entriesOf(actions.slice(MAX_BUTTONS), open)}
          />
        )}
      </span>
    </section>
  )
}

/** Focuses the box, or the first button if the box is hidden because the list is a table. */
function focusFirst(): void {
  const bar = document.querySelector('[data-selection-bar]')
  for (const control of bar?.querySelectorAll<HTMLElement>('input, button:enabled') ?? []) {
    control.focus({ preventScroll: true })
    if (document.activeElement === control) return
  }
}

function isEmpty({ state }: RowSelection): boolean {
  const { rows, isAll } = state.get()
  return rows.size === 0 && !isAll
}
