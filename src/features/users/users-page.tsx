import { Link } from '@tanstack/react-router'
import { Send, ShieldMinus, ShieldPlus, UserCheck, UserX } from 'lucide-react'
import { useMemo } from 'react'
import { usersExportUsers } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { NotAvailable } from '@/components/list/data-table'
import { type ListOutline, ListPage } from '@/components/list/list-page'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { UserText } from '@/components/user-text'
import { useCurrentUser } from '@/lib/api/current-user'
import { userList } from '@/lib/lists'
import { EmailCell, LastActiveCell, RoleCell, StatusCell } from './user-cells'
import { ownAccount } from './own-account'
import { userDialogs } from './lazy-dialogs'
import { userResource, type UsersQuery, usersQuery } from './users-query'

const capitalize = (value: string) => value.charAt(0).toUpperCase() + value.slice(1)

const resend = { kind: 'resend', label: 'Resend Invitation', icon: Send } as const
const activate = { kind: 'activate', label: 'Activate', icon: UserCheck } as const
const deactivate = { kind: 'deactivate', label: 'Deactivate', icon: UserX } as const
const makeSuperuser = { kind: 'make_superuser', label: 'Make Superuser', icon: ShieldPlus } as const
const removeSuperuser = { kind: 'remove_superuser', label: 'Remove Superuser', icon: ShieldMinus } as const

const users: ListOutline<UserPublic, UsersQuery> = {
  title: 'Users',
  description: 'A list of all users.',
  noun: 'user',
  address: userList,
  query: usersQuery,
  exportAll: ({ skip, limit, ...query }) => usersExportUsers({ query, parseAs: 'blob' }),
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
    {
      header: 'Full Name',
      role: 'title',
      sort: 'full_name',
      picture: (user) => <Avatar user={user} />,
      cell: (user) => <NameCell user={user} />,
    },
    { header: 'Email', sort: 'email', cell: (user) => <EmailCell user={user} /> },
    {
      header: 'Role',
      width: 'columns:w-28',
      cell: (user) => <RoleCell user={user} />,
    },
    { header: 'Status', width: 'columns:w-26', cell: (user) => <StatusCell user={user} /> },
    {
      header: 'Last Active',
      isNamed: true,
      width: 'columns:w-32',
      sort: 'last_active_at',
      field: 'last_active_at',
      cell: (user) => <LastActiveCell user={user} />,
    },
  ],
  rowName: ({ email }) => email,
  rowDialogs: ({ is_invited, is_active, is_superuser }) => [
    ...(is_invited ? [resend] : []),
    is_active ? deactivate : activate,
    is_superuser ? removeSuperuser : makeSuperuser,
  ],
  selectionDialogs: [activate, deactivate],
  addLabel: 'Add User',
  invite: { label: 'Invite User', field: 'is_invited' },
  dialogs: userDialogs,
}

export function UsersPage() {
  const { id } = useCurrentUser()
  const locked = useMemo(() => ({ id, reason: ownAccount }), [id])
  return <ListPage list={users} locked={locked} />
}

function NameCell({ user: { id, full_name } }: { user: UserPublic }) {
  const isSelf = useCurrentUser().id === id
  return (
    <span className="flex items-center gap-x-2">
      <Link to="/users/$userId" params={{ userId: id }} title={full_name ?? undefined} className={nameLink}>
        {full_name ? <UserText show="one line">{full_name}</UserText> : <NotAvailable />}
      </Link>
      {isSelf && <Badge variant="outline">You</Badge>}
    </span>
  )
}

/** Large enough for touch, without increasing the height of a line in a card. */
const nameLink =
  'inline-flex min-h-6 min-w-0 items-center rounded underline-offset-4 hover:underline pointer-coarse:-my-3 ' +
  'pointer-coarse:min-h-11 pointer-coarse:min-w-11'
