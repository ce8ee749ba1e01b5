import type { RefObject } from 'react'

export const commandKey = () => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl')

export interface PaletteControl {
  open: boolean
  opener: RefObject<HTMLElement | null>
  onClose: () => void
  /** Closes the palette before another page or dialog opens. */
  onLeave: () => void
}
