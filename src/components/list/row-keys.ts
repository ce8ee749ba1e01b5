import type { KeyboardEvent } from 'react'
import { letterOf } from '@/lib/keys'
import type { RowSelection } from './selection'

const opener = '[data-row] [data-title] :is(a, button)'
const box = '[data-row] input[type=checkbox]:enabled'

export function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
}

export function rowBox(row: HTMLElement | null): HTMLInputElement | null {
  return row?.querySelector<HTMLInputElement>(box) ?? null
}

const inRows = (controls: string) =>
  Array.from(document.querySelectorAll<HTMLElement>(controls)).filter((control) => !control.closest('[inert]'))

export function enterRows(): boolean {
  const [first] = inRows(opener)
  first?.focus()
  return first !== undefined
}

/** Arrows move between names or boxes, and from the first row to the search box; with Shift, they also select. */
export function handleRowKey(event: KeyboardEvent, selection: RowSelection | undefined): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event
  const control = event.target as HTMLElement
  // React also reports keys pressed in the row's menu, which is outside the row in the document.
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
