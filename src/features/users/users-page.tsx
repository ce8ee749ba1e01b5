import type { UserPublic } from '@/client/types.gen'
import { NotAvailable } from '@/components/data-table'
import { lazyPart } from '@/components/lazy-part'
import { type ListOutline, ListPage } from '@/components/list-page'
import { Badge } from '@/components/ui/badge'
import { useCurrentUser } from '@/lib/api/current-user'
import { hasMixedScripts } from '@/lib/mixed-scripts'
import { userResource, usersQuery } from './users-query'

const users: ListOutline<UserPublic> = {
  title: 'Users',
  description: 'A list of all users.',
  query: usersQuery,
  resource: userResource,
  columns: [
    { header: 'Full Name', role: 'title', cell: (user) => <NameCell user={user} /> },
    { header: 'Email', cell: ({ email }) => <EmailCell email={email} /> },
    {
      header: 'Role',
      width: 'md:w-32',
      cell: ({ is_superuser }) => (
        <Badge variant={is_superuser ? 'default' : 'secondary'}>{is_superuser ? 'Superuser' : 'User'}</Badge>
      ),
    },
    {
      header: 'Status',
      width: 'md:w-28',
      cell: ({ is_active }) => (
        <Badge variant={is_active ? 'success' : 'destructive'}>{is_active ? 'Active' : 'Inactive'}</Badge>
      ),
    },
  ],
  rowName: ({ email }) => email,
  addLabel: 'Add User',
  dialogs: lazyPart(async () => (await import('./user-dialogs')).UserDialogs),
}

export function UsersPage() {
  return <ListPage list={users} lockedId={useCurrentUser().id} />
}

function NameCell({ user: { id, full_name } }: { user: UserPublic }) {
  const isSelf = useCurrentUser().id === id
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="min-w-0">{full_name || <NotAvailable />}</span>
      {isSelf && <Badge variant="outline">You</Badge>}
    </span>
  )
}

function EmailCell({ email }: { email: string }) {
  if (!hasMixedScripts(email)) return email
  return (
    <span
      className="flex flex-wrap items-center gap-x-2"
      title="Letters of several alphabets can imitate another address"
    >
      <span className="min-w-0">{email}</span>
      <Badge variant="outline">Mixed scripts</Badge>
    </span>
  )
}
