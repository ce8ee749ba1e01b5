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
