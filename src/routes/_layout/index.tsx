import { createFileRoute } from '@tanstack/react-router'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { mayPrefetch } from '@/data/prefetch'

export const Route = createFileRoute('/_layout/')({
  staticData: screens['/'],
  loader: ({ context, preload }) => {
    if (!preload || mayPrefetch()) void context.queryClient.prefetchQuery(usersReadOverviewOptions())
  },
  component: lazyPage(async () => {
    const [{ DashboardPage }, { RecentActivity }] = await Promise.all([
      import('@/features/dashboard/dashboard-page'),
      import('@/features/audit/recent-activity'),
    ])
    return () => <DashboardPage activity={<RecentActivity />} />
  }),
})
