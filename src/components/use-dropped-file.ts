import { useEffect, useEffectEvent, useState } from 'react'

/** Prevents drops beside the zone, for which the browser would open the file. @returns whether a file is over it */
export function useDroppedFile(
  zone: () => Element | null | undefined,
  onDrop: (dropped: DataTransfer) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const onEvent = useEffectEvent((event: DragEvent): void => {
    const { type, target, dataTransfer } = event
    if (!dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    const isInZone = zone()?.contains(target as Node) === true
    if (!isInZone) dataTransfer.dropEffect = 'none'
    setOver(isInZone && type === 'dragover')
    if (isInZone && type === 'drop') onDrop(dataTransfer)
  })
  useEffect(() => {
    const over = new AbortController()
    for (const type of ['dragover', 'dragleave', 'drop'] as const)
      window.addEventListener(type, onEvent, { signal: over.signal })
    return () => over.abort()
  }, [])
  return isOver
}
