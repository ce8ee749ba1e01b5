/**
 * A ref for a sheet: keeps its `--visible-height` at what an on-screen keyboard leaves of the window, so that it ends above it.
 * Safari lays the keyboard over the page and does not tell CSS. The keyboard comes after the sheet, with a field in it. On the
 * sheet and not on the page, all of which would be styled again.
 */
export function followVisibleHeight(sheet: HTMLElement | null): () => void {
  const viewport = window.visualViewport
  if (!sheet || !viewport) return () => undefined
  const update = (): void => sheet.style.setProperty('--visible-height', `${Math.round(viewport.height)}px`)
  viewport.addEventListener('resize', update)
  return () => viewport.removeEventListener('resize', update)
}
