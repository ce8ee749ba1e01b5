import { useEffect, useState } from 'react'

/** Whether it has been active for the delay. @param cause another one restarts the delay */
export function useDelayed(active: boolean, delayMs: number, cause: unknown): boolean {
  const [due, setDue] = useState(false)
  if (due && !active) setDue(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- restarts the delay
  }, [active, delayMs, cause])
  return due
}
