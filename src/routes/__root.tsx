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
  // The root shows this page to visitors without a session, and if a path cannot be decoded.
  staticData: { title: 'Page not found' },
  notFoundComponent: NotFoundPage,
})

function Application() {
  const isGuestPage = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/_auth') })
  // Guest pages are hydrated later than this component, and release held events themselves.
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
