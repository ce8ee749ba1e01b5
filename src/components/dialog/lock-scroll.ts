let locks = 0

/**
 * Prevents the page from scrolling while an overlay covers it. Padding replaces the space of the scroll bar
 * (`scrollbar-gutter`), so that the overlay covers this space and the page neither moves nor is styled again.
 * @returns a function that unlocks scrolling
 */
export function lockScroll(): () => void {
  const { style, clientWidth } = document.documentElement
  locks += 1
  if (locks === 1) style.paddingInlineEnd = `${window.innerWidth - clientWidth}px`
  style.scrollbarGutter = 'auto'
  style.overflow = 'hidden'
  // Prevents pull-to-refresh.
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
