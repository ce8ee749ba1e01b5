import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
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
})
