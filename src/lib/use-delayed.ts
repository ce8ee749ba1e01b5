import { useEffect, useState } from 'react'

/** True once `active` has been so for `delayMs` without a break; what is over sooner is not worth a word. */
export function useDelayed(active: boolean, delayMs: number): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => {
      clearTimeout(timer)
      setDue(false)
    }
  }, [active, delayMs])
  return due
}
