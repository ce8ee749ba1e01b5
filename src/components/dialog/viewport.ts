/** Below this height in pixels, a dialog's header and footer leave no space for its content. */
const LOW_HEIGHT = 272

/** Sets `--visible-height`, the height above an on-screen keyboard, because CSS in Safari does not know it. */
export function followVisibleHeight(dialog: HTMLElement | null): () => void {
  const viewport = window.visualViewport
  if (!dialog || !viewport) return () => undefined
  const update = (): void => {
    // Zooming divides the height by the scale.
    const height = Math.round(viewport.height * viewport.scale)
    dialog.style.setProperty('--visible-height', `${height}px`)
    dialog.toggleAttribute('data-low', height < LOW_HEIGHT)
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

/** Extends a centred dialog upwards for a new notice, so that its fields do not move under the pointer. */
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

/** The width in pixels of the scroll bar, or of the room that is reserved for it. */
export function scrollGutter(): number {
  const root = document.documentElement
  if (locks > 0) return Number.parseFloat(root.style.paddingInlineEnd)
  return Math.max(0, window.innerWidth - root.getBoundingClientRect().width)
}

/** Padding replaces the room of the scroll bar, so that the page does not move. @returns a function that unlocks */
export function lockScroll(gutter: number): () => void {
  const { style } = document.documentElement
  locks += 1
  if (locks === 1) style.paddingInlineEnd = `${gutter}px`
  // `contain` prevents pull-to-refresh.
  Object.assign(style, { scrollbarGutter: 'auto', overflow: 'hidden', overscrollBehavior: 'contain' })
  return () => {
    locks -= 1
    if (locks > 0) return
    Object.assign(style, { paddingInlineEnd: '', scrollbarGutter: '', overflow: '', overscrollBehavior: '' })
  }
}
