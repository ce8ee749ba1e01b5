import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { historyOf } from '@/features/audit/audit-queries'
import { prefetchUserParts, userResource } from '@/features/users/users-queries'
import { userDialogs, userSearch } from '@/features/users/users-search'
import { currentUserOptions, hasCapabilities } from '@/data/api/current-user'
import { isDeleted } from '@/data/api/resource'
import { mayReadAhead } from '@/data/read-ahead'
import { screens } from '@/lib/screens'
import { isId } from '@/lib/search-params'

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { ...screens['/users_/$userId'], dialogs: Object.keys(userDialogs) },
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
    const [{ UserPage }, { UserHistory }] = await Promise.all([
      import('@/features/users/user-page'),
      import('@/features/audit/user-history'),
    ])
    return () => {
      const { userId } = Route.useParams()
      return <UserPage key={userId} userId={userId} history={<UserHistory userId={userId} />} />
    }
  }),
})
