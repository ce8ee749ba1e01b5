export function focusHeading(): boolean {
  const heading = findHeading()
  heading?.focus({ preventScroll: true })
  return heading !== null
}

/** The `ref` of an element that replaces the focused one, because browsers drop the focus. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

const hasDialog = () => document.querySelector('[role=dialog][data-state=open]') !== null

/** Focuses the heading that replaces `leaving`, unless a dialog opens. @returns a function that stops waiting */
export function focusComingHeading(leaving: HTMLElement | null = null): () => void {
  return whenThere(() => hasDialog() || (findHeading() !== leaving && focusHeading()))
}

/** Focuses the name in a row when its list appears, or else the heading. @returns a function that stops waiting */
export function focusComingRow(id: string): () => void {
  return whenThere(() => {
    if (focusName(`[data-row="${CSS.escape(id)}"]`)) return true
    const isReady =
      document.querySelector('[data-row], [data-empty-state]') &&
      !document.querySelector('[aria-busy=true] > [data-row]')
    return isReady ? focusHeading() : false
  })
}

export function focusComingRowAfter(id: string): void {
  whenThere(() => focusName(`[data-row="${CSS.escape(id)}"] + [data-row]`))
}

function focusName(row: string): boolean {
  const name = document.querySelector<HTMLElement>(`${row} [data-title] :is(a, button)`)
  name?.focus({ preventScroll: true })
  return name !== null
}

/** Tries now and after each change of the page, until the user presses a key or clicks. @returns a function to stop */
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

export const findHeading = (): HTMLElement | null => document.querySelector('h1')
