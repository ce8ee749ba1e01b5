import { useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}

const narrow = '(max-width: 767.98px)'

/** Below 768 px, the sidebar is off-canvas and dialogs are sheets. */
export const useIsNarrow = (): boolean => useMedia(narrow)

export const isNarrow = (): boolean => window.matchMedia(narrow).matches
