import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazyPage, lazyPart } from '@/components/lazy'
import { RowsSkeleton } from '@/components/skeleton'
import { historyOf } from '@/features/audit/audit-queries'
import { prefetchUserParts, userResource } from '@/features/users/users-queries'
import { userDialogs, userIdentityDialogs, userSearch, userTokenDialogs } from '@/features/users/users-search'
import { currentUserOptions, hasCapabilities } from '@/data/api/current-user'
import { isDeleted } from '@/data/api/resource'
import { mayReadAhead } from '@/data/read-ahead'
import { screens } from '@/lib/screens'
import { isId } from '@/lib/search-params'

/** Not with the lists: its tabs would cost their first paint 4 KB. */
const UserHistory = lazyPart(async () => (await import('@/features/audit/user-history')).UserHistory)

const dialogs = { ...userDialogs, ...userIdentityDialogs, ...userTokenDialogs }

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { ...screens['/users_/$userId'], dialogs: Object.keys(dialogs) },
  validateSearch: userSearch,
  beforeLoad: ({ context, params }) => {
    if (isDeleted(context.queryClient, userResource(params.userId).queryKey))
      throw redirect({ to: '/users', replace: true })
  },
  loader: ({ context: { queryClient }, params: { userId }, preload }) => {
    if (!isId(userId) || (preload && !mayReadAhead())) return
    void queryClient.prefetchQuery(userResource(userId))
    const self = queryClient.getQueryData(currentUserOptions.queryKey)
    if (!self || !hasCapabilities(self)) return
    prefetchUserParts(queryClient, userId)
    void queryClient.prefetchQuery(historyOf(userId))
  },
  component: lazyPage(async () => {
    const { UserPage } = await import('@/features/users/user-page')
    return () => {
      const { userId } = Route.useParams()
      const history = <UserHistory userId={userId} fallback={<RowsSkeleton />} onFailure={() => undefined} />
      return <UserPage key={userId} userId={userId} history={history} />
    }
  }),
})
