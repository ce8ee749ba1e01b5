import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadOnFirstSign, savesData } from '@/lib/preload'
import { prepareToasts } from '@/lib/toast'

/** The first page has loaded by then, also on a slow network. */
const AT_REST_AFTER_MS = 3_000

/** The one preloader: code for presses on the first sign of a person, and the other pages once the first one is at rest. */
export function usePreloading(): void {
  const router = useRouter()
  useEffect(preloadOnFirstSign, [])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (savesData()) return
      // Toasts report a network that is lost later.
      prepareToasts()
      // A failure is repeated when the page is needed.
      for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined)
    }, AT_REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}
