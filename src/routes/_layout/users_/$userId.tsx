import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { lazyPage, lazyPart } from '@/components/lazy'
import { RowsSkeleton } from '@/components/skeleton'
import { historyOptions } from '@/features/audit/audit-queries'
import { userDialogs, usersList } from '@/features/users/users-list'
import { waysOfUserDialogs } from '@/features/ways-in/ways-in-search'
import { knownCapabilities } from '@/data/api/capabilities'
import { isDeleted } from '@/data/api/resource'
import { prefetchWays } from '@/data/api/ways-in'
import { countRows, resources } from '@/data/resources'
import { mayPrefetch } from '@/data/prefetch'
import { screens } from '@/lib/screens'
import { isId } from '@/lib/search-params'

/** Lazy, because its tabs would add 4 KB to the first paint of lists. */
const UserHistory = lazyPart(async () => (await import('@/features/audit/user-history')).UserHistory)

const dialogs = { ...userDialogs, ...waysOfUserDialogs }

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { ...screens['/users_/$userId'], dialogs: Object.keys(dialogs) },
  validateSearch: z.object(dialogs),
  beforeLoad: ({ context, params }) => {
    if (isDeleted(context.queryClient, usersList.row(params.userId).queryKey))
      throw redirect({ to: '/users', replace: true })
  },
  loader: ({ context: { queryClient }, params: { userId }, preload }) => {
    if (!isId(userId) || (preload && !mayPrefetch())) return
    void queryClient.prefetchQuery(usersList.row(userId))
    if (!knownCapabilities(queryClient).has('administration')) return
    for (const resource of resources) void queryClient.prefetchQuery(countRows(resource, userId))
    void prefetchWays(queryClient, userId)
    void queryClient.prefetchQuery(historyOptions({ subject_id: userId }))
  },
  component: lazyPage(async () => {
    const [{ UserPage }, { UserWays }] = await Promise.all([
      import('@/features/users/user-page'),
      import('@/features/ways-in/user-ways'),
    ])
    return () => {
      const { userId } = Route.useParams()
      const history = <UserHistory userId={userId} fallback={<RowsSkeleton />} onFailure={() => undefined} />
      return (
        <UserPage key={userId} userId={userId}>
          {(user, open) => <UserWays user={user} open={open} history={history} />}
        </UserPage>
      )
    }
  }),
})
