import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { savesData } from '@/components/on-demand'
import { prepareToasts } from '@/lib/toast'

/** By then the page that was asked for is there, also where the network is slow. */
const AT_REST_AFTER_MS = 3_000

/**
 * Loads the code of the other pages and of the toasts once the first page has come to rest. Whoever loses the network after
 * that still gets about, and is told what went wrong.
 */
export function useReadiness(): void {
  const router = useRouter()
  useEffect(() => {
    const timer = setTimeout(() => {
      if (savesData()) return
      prepareToasts()
      for (const route of Object.values(router.routesById)) {
        // One that cannot be loaded now is asked for again when it is needed.
        router.loadRouteChunk(route)?.catch(() => undefined)
      }
    }, AT_REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}
