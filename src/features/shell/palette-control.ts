import { createAtom } from '@tanstack/react-store'
import type { RefObject } from 'react'

export const commandKey = () => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl')

export interface PaletteRequest {
  kind: 'palette' | 'keys'
  opener: RefObject<HTMLElement | null>
}

/** Set while the command palette or the list of keyboard shortcuts is open. */
export const paletteRequest = createAtom<PaletteRequest | null>(null)
