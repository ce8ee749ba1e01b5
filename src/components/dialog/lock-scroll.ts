let locks = 0

/**
 * Prevents the page from scrolling while an overlay covers it. Padding replaces the space of the scroll bar
 * (`scrollbar-gutter`), so that the overlay covers this space and the page neither moves nor is styled again.
 * @returns a function that unlocks scrolling
 */
export function lockScroll(): () => void {
  const { style } = document.documentElement
  locks += 1
  if (locks === 1) {
    // `clientWidth` contains the space that is reserved without a scroll bar.
    const { width } = document.documentElement.getBoundingClientRect()
    style.paddingInlineEnd = `${Math.max(0, window.innerWidth - width)}px`
  }
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
