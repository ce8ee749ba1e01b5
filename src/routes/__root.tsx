import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { NotFoundPage } from '@/components/not-found'
import { Toaster } from '@/components/ui/toaster'
import { PageAnnouncer } from '@/features/shell/page-announcer'
import { repeatLogOuts } from '@/data/api/log-out'
import { reloadWithHandover } from '@/data/handover'
import { releaseHeldEvents } from '@/data/held-events'
import { ignoreInputMethods } from '@/lib/keys'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Application,
  // Shown to visitors, and for a path that cannot be decoded.
  staticData: { title: 'Page not found' },
  notFoundComponent: NotFoundPage,
})

function Application() {
  const isGuestPage = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/_auth') })
  // A guest page is hydrated later than this component, and releases held events itself.
  useEffect(() => {
    if (!isGuestPage) releaseHeldEvents()
  }, [isGuestPage])
  useEffect(repeatLogOuts, [])
  useEffect(reloadWithHandover, [])
  useEffect(ignoreInputMethods, [])
  return (
    <>
      <Outlet />
      <PageAnnouncer />
      <Toaster />
    </>
  )
}
