import { useEffectEvent, useLayoutEffect } from 'react'

/** Handles the keys of the whole page. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKeyDown)
  // A layout effect, so that no key is lost after the first paint.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
