import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadOnFirstSign, savesData } from '@/lib/preload'
import { prepareToasts } from '@/lib/toast'

/** By then the first page has loaded, even on a slow network. */
const AT_REST_AFTER_MS = 3_000

/** Preloads code for interactions at the first user event, and other pages after a delay. */
export function usePreloading(): void {
  const router = useRouter()
  useEffect(preloadOnFirstSign, [])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (savesData()) return
      // Toasts must be able to report a lost network.
      prepareToasts()
      // Errors are reported when the page is needed.
      for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined)
    }, AT_REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}
