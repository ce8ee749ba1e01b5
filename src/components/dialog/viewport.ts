/** Below this height in pixels, a dialog's header and footer leave no space for its content. */
const LOW = 272

/**
 * A ref for a dialog. Sets `--visible-height` to the height above an on-screen keyboard, which Safari does not report
 * to CSS, and `data-low` if it is small. Both are set on the dialog, because the page would have to be styled again.
 */
export function followVisibleHeight(dialog: HTMLElement | null): () => void {
  const viewport = window.visualViewport
  if (!dialog || !viewport) return () => undefined
  const update = (): void => {
    // The scale corrects for zoom.
    const height = Math.round(viewport.height * viewport.scale)
    dialog.style.setProperty('--visible-height', `${height}px`)
    dialog.toggleAttribute('data-low', height < LOW)
  }
  const onResize = (): void => {
    update()
    // The keyboard may have covered the field for which it opened.
    dialog.querySelector('input:focus, textarea:focus')?.scrollIntoView({ block: 'nearest' })
  }
  update()
  viewport.addEventListener('resize', onResize)
  return () => viewport.removeEventListener('resize', onResize)
}

/**
 * A ref for a notice that appears above the fields. A centred dialog grows upwards for it, by `--growth`, as far as there
 * is space, so that its fields and buttons do not move under a pointer.
 */
export function growUpwards(notice: HTMLElement | null): () => void {
  const dialog = notice?.closest<HTMLElement>('[role=dialog]')
  if (!notice || !dialog) return () => undefined
  const { offsetHeight } = dialog
  notice.hidden = true
  const growth = offsetHeight - dialog.offsetHeight
  notice.hidden = false
  dialog.style.setProperty('--growth', `${growth}px`)
  return () => dialog.style.removeProperty('--growth')
}

let locks = 0

/** The width in pixels of the scroll bar, or of the space that is reserved for it, which `clientWidth` contains. */
export function scrollGutter(): number {
  const root = document.documentElement
  if (locks > 0) return Number.parseFloat(root.style.paddingInlineEnd)
  return Math.max(0, window.innerWidth - root.getBoundingClientRect().width)
}

/**
 * Prevents the page from scrolling while an overlay covers it. Padding replaces the space of the scroll bar
 * (`scrollbar-gutter`), so that the overlay covers this space and the page neither moves nor is styled again.
 * @param gutter from `scrollGutter`
 * @returns a function that unlocks scrolling
 */
export function lockScroll(gutter: number): () => void {
  const { style } = document.documentElement
  locks += 1
  if (locks === 1) style.paddingInlineEnd = `${gutter}px`
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
