import { createAtom, useSelector } from '@tanstack/react-store'
import { useLayoutEffect } from 'react'

const pageName = createAtom<string | null>(null)

export function useNamePage(name: string | undefined): void {
  useLayoutEffect(() => {
    // Atoms cannot be set to `undefined`.
    pageName.set(name ?? null)
    return () => pageName.set(null)
  }, [name])
}

export const usePageName = (): string | null => useSelector(pageName)
