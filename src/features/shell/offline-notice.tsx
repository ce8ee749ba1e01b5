import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  return (
    <p aria-live="polite" className="ml-auto shrink-0">
      {!isOnline && (
        <span className="inline-flex items-center gap-2 rounded-md bg-destructive-tint px-2.5 py-1 font-medium text-destructive">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You are offline.
        </span>
      )}
    </p>
  )
}
