import type { KeyboardEvent } from 'react'

const openers = () =>
  Array.from(document.querySelectorAll<HTMLElement>('[data-row] [data-title] :is(a, button)')).filter(
    (opener) => !opener.closest('[inert]'),
  )

/** Focuses the name of the first row, which Enter opens. @returns whether there is one */
export function enterRows(): boolean {
  const [first] = openers()
  first?.focus()
  return first !== undefined
}

/** Moves from the name of a row to that of the next or previous one, and from the first to the search box. */
export function moveBetweenRows(event: KeyboardEvent): void {
  const { key, target } = event
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  const all = openers()
  const index = all.indexOf(target as HTMLElement)
  if (step === 0 || index === -1) return
  event.preventDefault()
  const next = index + step === -1 ? document.querySelector<HTMLElement>('main input[type=search]') : all[index + step]
  next?.focus()
}
