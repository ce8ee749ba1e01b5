import type { KeyboardEvent } from 'react'
import { letterOf } from '@/lib/keys'
import type { RowSelection } from './selection'

const opener = '[data-row] [data-title] :is(a, button)'
const box = '[data-row] input[type=checkbox]:enabled'

export function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
}

/** The box of a row that can be selected. */
export function rowBox(row: HTMLElement | null): HTMLInputElement | null {
  return row?.querySelector<HTMLInputElement>(box) ?? null
}

const inRows = (controls: string) =>
  Array.from(document.querySelectorAll<HTMLElement>(controls)).filter((control) => !control.closest('[inert]'))

/** Focuses the name of the first row, which Enter opens. @returns whether there is one */
export function enterRows(): boolean {
  const [first] = inRows(opener)
  first?.focus()
  return first !== undefined
}

/**
 * The keys of the rows. Arrows move from the name or box of a row to that of the next or previous one, and from the
 * first to the search box; with Shift, they select. `x` selects a row or removes it, as Space does on its name.
 */
export function handleRowKey(event: KeyboardEvent, selection: RowSelection | undefined): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event
  const control = event.target as HTMLElement
  // React also reports keys in a menu of the row, which is elsewhere in the document.
  const row = rowOf(control)
  if (!row || ctrlKey || metaKey || altKey) return
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (step === 0) {
    const ownBox = rowBox(row)
    const selects = letterOf(event.nativeEvent) === 'x' || (key === ' ' && control.matches(opener))
    if (!ownBox || shiftKey || !selects) return
    event.preventDefault()
    ownBox.click()
    return
  }
  const all = inRows(control.matches(box) ? box : opener)
  const index = all.indexOf(control)
  if (index === -1) return
  event.preventDefault()
  const next = index + step === -1 ? document.querySelector<HTMLElement>('main input[type=search]') : all[index + step]
  const [from, to] = [row, rowOf(next ?? null)].map((one) => one?.dataset['row'])
  if (shiftKey && from !== undefined && to !== undefined) selection?.extend(from, to)
  next?.focus()
}
