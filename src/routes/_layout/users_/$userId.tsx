import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { readUserSearch } from '@/features/users/users-search'

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { title: 'User', isForSuperusers: true, parent: { label: 'Users', to: '/users' } },
  validateSearch: readUserSearch,
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
