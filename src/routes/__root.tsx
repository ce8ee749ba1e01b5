import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { NotFoundPage } from '@/components/not-found'
import { ToastArea } from '@/components/toast-area'
import { PageAnnouncer } from '@/features/shell/page-announcer'
import { releaseHeldEvents } from '@/lib/held-events'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Application,
  // For a path that cannot be decoded, which no route matches.
  staticData: { title: 'Page not found' },
  notFoundComponent: NotFoundPage,
})

function Application() {
  // After hydration, or when a page replaces the prerendered one.
  useEffect(releaseHeldEvents, [])
  return (
    <>
      <Outlet />
      <PageAnnouncer />
      <ToastArea />
    </>
  )
}
