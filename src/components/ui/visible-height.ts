/** Below this many pixels the header and the footer of a dialog leave no room for what is between them. */
const LOW = 272

/**
 * A ref for a dialog: keeps its `--visible-height` at what an on-screen keyboard leaves of the window, so that it ends above it,
 * and marks it with `data-low` where that is little. Safari lays the keyboard over the page and does not tell CSS. On the dialog
 * and not on the page, all of which would be styled again.
 */
export function followVisibleHeight(dialog: HTMLElement | null): () => void {
  const viewport = window.visualViewport
  if (!dialog || !viewport) return () => undefined
  const update = (): void => {
    // Zooming in takes none of the height.
    const height = Math.round(viewport.height * viewport.scale)
    dialog.style.setProperty('--visible-height', `${height}px`)
    dialog.toggleAttribute('data-low', height < LOW)
  }
  update()
  viewport.addEventListener('resize', update)
  return () => viewport.removeEventListener('resize', update)
}
