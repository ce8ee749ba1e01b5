import { createFileRoute } from '@tanstack/react-router'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import { PanelPlaceholder } from '@/components/panel'
import { lazy, lazyPage, useLazy } from '@/components/lazy/lazy'

const activity = lazy(() => import('@/features/audit/recent-activity'))

export const Route = createFileRoute('/_layout/')({
  staticData: { title: 'Dashboard' },
  loader: ({ context }) => void context.queryClient.prefetchQuery(usersReadOverviewOptions()),
  component: lazyPage(async () => {
    const { DashboardPage } = await import('@/features/dashboard/dashboard-page')
    return () => <DashboardPage activity={<Activity />} />
  }),
})

/** Loads after the first paint, and has the place of the panel until then. */
function Activity() {
  const code = useLazy(activity, true, () => undefined)
  return code ? <code.RecentActivity /> : <PanelPlaceholder />
}
