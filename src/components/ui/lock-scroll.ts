let locks = 0

/**
 * An effect of what covers the page: the page does not scroll while it is there. The room of the scroll bar is kept
 * (`scrollbar-gutter`), so nothing moves, and nothing of the page is styled or laid out again.
 * @returns how to let it scroll again
 */
export function lockScroll(): () => void {
  const { dataset } = document.documentElement
  locks += 1
  // The style sheet does it. A pull must not reload the page either.
  dataset.locked = ''
  return () => {
    locks -= 1
    if (locks === 0) delete dataset.locked
  }
}
