/** Moves the focus to the heading of the page. @returns whether there is one */
export function focusHeading(): boolean {
  const heading = findHeading()
  heading?.focus({ preventScroll: true })
  return heading !== null
}

/**
 * Moves the focus to the heading, now or as soon as there is one: a list has none before it is read. A key or a press before
 * then means that the person has gone on; a focus that moves by itself, as a closing menu's does, does not.
 * @param leaving the heading of what is about to go, which does not count
 * @returns how to give up waiting
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
