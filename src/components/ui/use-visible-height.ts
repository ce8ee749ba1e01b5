import { useEffect } from 'react'

/**
 * Keeps `--visible-height` at what an on-screen keyboard leaves of the window, so that a sheet ends above it: Safari lays the
 * keyboard over the page and does not tell CSS.
 */
export function useVisibleHeight(active: boolean): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!active || !viewport) return
    const { style } = document.documentElement
    const update = (): void => style.setProperty('--visible-height', `${Math.round(viewport.height)}px`)
    update()
    viewport.addEventListener('resize', update)
    return () => {
      viewport.removeEventListener('resize', update)
      style.removeProperty('--visible-height')
    }
  }, [active])
}
