let locks = 0

/**
 * An effect of what covers the page: the page does not scroll while it is there. The room of the scroll bar (`scrollbar-gutter`)
 * becomes padding, so that the overlay covers it and nothing of the page moves or is styled again.
 * @returns a function that lets it scroll again
 */
export function lockScroll(): () => void {
  const { style, clientWidth } = document.documentElement
  locks += 1
  if (locks === 1) style.paddingInlineEnd = `${window.innerWidth - clientWidth}px`
  style.scrollbarGutter = 'auto'
  style.overflow = 'hidden'
  // A pull must not reload the page.
  style.overscrollBehavior = 'contain'
  return () => {
    locks -= 1
    if (locks > 0) return
    style.paddingInlineEnd = ''
    style.scrollbarGutter = ''
    style.overflow = ''
    style.overscrollBehavior = ''
  }
}
