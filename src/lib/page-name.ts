import { useLayoutEffect, useSyncExternalStore } from 'react'

let name: string | undefined
const listeners = new Set<() => void>()

function setName(next: string | undefined): void {
  name = next
  for (const listener of listeners) listener()
}

/** Sets a name for the page that replaces its route's title. */
export function useNamePage(next: string | undefined): void {
  useLayoutEffect(() => {
    setName(next)
    return () => setName(undefined)
  }, [next])
}

export function usePageName(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => name,
    () => undefined,
  )
}
