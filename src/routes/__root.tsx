import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { NotFoundPage } from '@/components/not-found'
import { ToastArea } from '@/components/toast-area'
import { PageAnnouncer } from '@/features/shell/page-announcer'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <PageAnnouncer />
      <ToastArea />
    </>
  ),
  // For a path that cannot be decoded, which no route matches.
  staticData: { title: 'Page not found' },
  notFoundComponent: NotFoundPage,
})
