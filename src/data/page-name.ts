import { createAtom, useSelector } from '@tanstack/react-store'
import { useLayoutEffect } from 'react'

const pageName = createAtom<string | null>(null)

/** Replaces the route's title by a name. */
export function useNamePage(name: string | undefined): void {
  useLayoutEffect(() => {
    // Atoms cannot be set to `undefined`.
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

export function usePageName(): string | null {
  return useSelector(pageName)
}
