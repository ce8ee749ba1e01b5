import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy/lazy'
import { type DialogSearch, toDialog, toDialogSearch } from '@/lib/dialog-search'
import { superusersOnly } from '@/lib/superusers-only'

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { title: 'User', parent: { label: 'Users', to: '/users' } },
  validateSearch: (search): DialogSearch =>
    toDialogSearch(toDialog(search, ['edit', 'delete', 'resend', 'end_sessions'])),
  beforeLoad: superusersOnly,
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
