import { usersExportUsers } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { NotAvailable } from '@/components/data-table'
import { lazyPart } from '@/components/lazy-part'
import { type ListOutline, ListPage } from '@/components/list-page'
import { TimeAgo } from '@/components/time-ago'
import { Badge } from '@/components/ui/badge'
import { useCurrentUser } from '@/lib/api/current-user'
import { userList } from '@/lib/lists'
import { hasMixedScripts } from '@/lib/mixed-scripts'
import { userResource, type UsersQuery, usersQuery } from './users-query'

const capitalize = (value: string) => value.charAt(0).toUpperCase() + value.slice(1)

const users: ListOutline<UserPublic, UsersQuery> = {
  title: 'Users',
  description: 'A list of all users.',
  noun: 'user',
  address: userList,
  query: usersQuery,
  exportAll: ({ skip, limit, ...query }) => usersExportUsers({ query, parseAs: 'blob', throwOnError: true }),
  resource: userResource,
  filters: [
    { name: 'role', label: 'Role', any: 'Any', values: ['superuser', 'user'], text: capitalize },
    { name: 'status', label: 'Status', any: 'Any', values: ['active', 'inactive', 'invited'], text: capitalize },
    {
      name: 'idle_days',
      label: 'Last active',
      any: 'Any time',
      values: [7, 30, 90, 180, 365],
      text: (days) => `Not for ${days} ${days === '1' ? 'day' : 'days'}`,
      field: 'last_active_at',
    },
  ],
  columns: [
    { header: 'Full Name', role: 'title', sort: 'full_name', cell: (user) => <NameCell user={user} /> },
    { header: 'Email', sort: 'email', cell: ({ email }) => <EmailCell email={email} /> },
    {
      header: 'Role',
      width: 'md:w-28',
      cell: ({ is_superuser }) => (
        <Badge variant={is_superuser ? 'default' : 'secondary'}>{is_superuser ? 'Superuser' : 'User'}</Badge>
      ),
    },
    { header: 'Status', width: 'md:w-26', cell: (user) => <StatusCell user={user} /> },
    {
      header: 'Last Active',
      width: 'md:w-32',
      isExtra: true,
      sort: 'last_active_at',
      field: 'last_active_at',
      cell: ({ last_active_at }) => <LastActiveCell time={last_active_at} />,
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

function StatusCell({ user: { is_active, is_invited } }: { user: UserPublic }) {
  if (!is_active) return <Badge variant="destructive">Inactive</Badge>
  return is_invited ? <Badge variant="secondary">Invited</Badge> : <Badge variant="success">Active</Badge>
}

function LastActiveCell({ time }: { time: string | null | undefined }) {
  return time === null || time === undefined ? 'Never' : <TimeAgo time={time} />
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
