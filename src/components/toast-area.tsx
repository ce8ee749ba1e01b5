import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { areToastsWanted, onToastsWanted } from '@/lib/toast'

/** Where it cannot be loaded, after a deploy say, the page does without toasts. */
const Toaster = lazy<ComponentType>(() => import('./ui/toaster').catch(() => ({ default: () => null })))

/** Where toasts appear. The library that shows them is loaded when the first one is near. */
export function ToastArea() {
  const wanted = useSyncExternalStore(onToastsWanted, areToastsWanted)
  return (
    wanted && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  )
}
