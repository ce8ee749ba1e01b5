import { createAtom, useSelector } from '@tanstack/react-store'
import { useLayoutEffect } from 'react'

const pageName = createAtom<string | null>(null)

/** Shows a name in place of the route's title. */
export function useNamePage(name: string | undefined): void {
  useLayoutEffect(() => {
    // An atom cannot be set to `undefined`.
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

export function usePageName(): string | null {
  return useSelector(pageName)
}
