import type { RefObject } from 'react'

/** The key that is pressed with K and B. */
export const commandKey = () => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl')

export interface PaletteControl {
  open: boolean
  opener: RefObject<HTMLElement | null>
  onClose: () => void
  /** Closes for another page or dialog. */
  onLeave: () => void
}
