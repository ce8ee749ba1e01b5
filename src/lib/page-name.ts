import { useLayoutEffect } from 'react'
import { createStore, useStore } from './store'

const pageName = createStore<string | undefined>(undefined)

/** Sets a name for the page that replaces its route's title. */
export function useNamePage(name: string | undefined): void {
  useLayoutEffect(() => {
    pageName.set(name)
    return () => pageName.set(undefined)
  }, [name])
}

export function usePageName(): string | undefined {
  return useStore(pageName)
}
