import { createAtom, useSelector } from '@tanstack/react-store'
import { useLayoutEffect } from 'react'

const pageName = createAtom<string | null>(null)

/** Sets a name for the page that replaces its route's title. */
export function useNamePage(name: string | undefined): void {
  useLayoutEffect(() => {
    // An atom ignores `undefined`.
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

export function usePageName(): string | null {
  return useSelector(pageName)
}
