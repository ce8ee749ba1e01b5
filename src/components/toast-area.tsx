import { lazy, Suspense, useSyncExternalStore } from 'react'
import { areToastsWanted, onToastsWanted } from '@/lib/toast'

const Toaster = lazy(() => import('./ui/toaster'))

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
