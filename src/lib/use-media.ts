import { useSyncExternalStore } from 'react'

/** Follows a media query. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Below SPEC 9's breakpoint of 768 px: the sidebar is off-canvas and dialogs are sheets. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 767.98px)')
}

/** Below 1,024 px rows of tables are cards: beside the sidebar, columns would have room for a few letters. */
export function useHasCards(): boolean {
  return useMedia('(max-width: 1023.98px)')
}
