/** Moves the focus to the heading of the page. @returns whether there is one */
export function focusHeading(): boolean {
  const heading = findHeading()
  heading?.focus({ preventScroll: true })
  return heading !== null
}

const hasDialog = () => document.querySelector('[role=dialog][data-state=open]') !== null

/**
 * Focuses the heading when it appears, unless a dialog opens with it.
 * @param leaving a heading that is about to disappear
 * @returns a function that stops waiting
 */
export function focusComingHeading(leaving: HTMLElement | null = null): () => void {
  return whenThere(() => hasDialog() || (findHeading() !== leaving && focusHeading()))
}

/**
 * Focuses the name in a row of a list when the list appears, or else the heading.
 * @returns a function that stops waiting
 */
export function focusComingRow(id: string): () => void {
  return whenThere(() => {
    if (focusName(`[data-row="${CSS.escape(id)}"]`)) return true
    const isReady =
      document.querySelector('[data-row], [data-empty-state]') &&
      !document.querySelector('[aria-busy=true] > [data-row]')
    return isReady ? focusHeading() : false
  })
}

/** Focuses the name in the row that is about to appear after another one. */
export function focusComingRowAfter(id: string): void {
  whenThere(() => focusName(`[data-row="${CSS.escape(id)}"] + [data-row]`))
}

function focusName(row: string): boolean {
  const name = document.querySelector<HTMLElement>(`${row} [data-title] :is(a, button)`)
  name?.focus({ preventScroll: true })
  return name !== null
}

/** Tries now and after each change of the page, until a key or a press cancels it. @returns a function that stops it */
function whenThere(isThere: () => boolean): () => void {
  if (isThere()) return () => undefined
  const observer = new MutationObserver(() => {
    if (isThere()) stop()
  })
  const stop = (): void => {
    observer.disconnect()
    for (const input of ['keydown', 'pointerdown']) removeEventListener(input, stop, { capture: true })
  }
  observer.observe(document.body, { childList: true, subtree: true })
  for (const input of ['keydown', 'pointerdown']) addEventListener(input, stop, { capture: true })
  return stop
}

export function findHeading(): HTMLElement | null {
  return document.querySelector('h1')
}
