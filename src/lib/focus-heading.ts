/** Moves the focus to the heading of the page. @returns whether there is one */
export function focusHeading(): boolean {
  const heading = findHeading()
  heading?.focus({ preventScroll: true })
  return heading !== null
}

/**
 * Focuses the heading now or when it appears. A key or a press cancels the wait.
 * @param leaving a heading that is about to disappear
 * @returns a function that stops waiting
 */
export function focusComingHeading(leaving: HTMLElement | null = null): () => void {
  const isThere = (): boolean => findHeading() !== leaving && focusHeading()
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
