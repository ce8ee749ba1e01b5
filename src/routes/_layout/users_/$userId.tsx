import { createFileRoute } from '@tanstack/react-router'
import { UserHistory } from '@/features/audit/user-history'
import { UserPage } from '@/features/users/user-page'
import { type DialogSearch, toDialog, toDialogSearch } from '@/lib/dialog-search'
import { superusersOnly } from '@/lib/superusers-only'

export const Route = createFileRoute('/_layout/users_/$userId')({
  staticData: { title: 'User', parent: { label: 'Users', to: '/users' } },
  validateSearch: (search): DialogSearch =>
    toDialogSearch(toDialog(search, ['edit', 'delete', 'resend', 'end_sessions'])),
  beforeLoad: superusersOnly,
  component: User,
})

function User() {
  const { userId } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <UserPage
      key={userId}
      userId={userId}
      onDeleted={() => void navigate({ to: '/users', replace: true })}
      history={<UserHistory userId={userId} />}
    />
  )
}
