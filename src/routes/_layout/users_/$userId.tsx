import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { userResource } from '@/features/users/users-queries'
import { readUserSearch } from '@/features/users/users-search'
import { isDeleted } from '@/data/api/deleted'

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { title: 'User', isForSuperusers: true, parent: { label: 'Users', to: '/users' } },
  validateSearch: readUserSearch,
  beforeLoad: ({ context, params }) => {
    if (isDeleted(context.queryClient, userResource(params.userId).queryKey))
      throw redirect({ to: '/users', replace: true })
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
