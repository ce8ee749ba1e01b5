import { FileUp } from 'lucide-react'
import { usersExportUsers } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Link } from '@/components/link'
import { FilterChoices } from '@/components/list/filter-choices'
import { Needs } from '@/components/needs'
import { FilterCreated } from '@/components/list/filter-time'
import { FilterSelect, type Option } from '@/components/list/filter-select'
import { type ColumnsOf, ListPage } from '@/components/list/list-page'
import { NotAvailable } from '@/components/ui/missing'
import { nameClass } from '@/components/list/opener-column'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { UserDialogs } from './lazy-dialogs'
import { actionsFor, bulkActions, lockOf } from './user-actions'
import { EmailCell, LastActiveCell, RoleCell, StatusCell } from './user-cells'
import { usersList } from './users-list'

const confirmations: Option<'yes' | 'no'>[] = [
  ['', 'Any'],
  ['yes', 'Confirmed'],
  ['no', 'Not confirmed'],
]
const never = 'never'
const idleText = (days: string) => `Over ${days} ${days === '1' ? 'day' : 'days'} ago`
const idleDays: Option[] = [
  ['', 'Any time'],
  ...['7', '30', '90', '180', '365'].map((days) => [days, idleText(days)] as const),
  [never, 'Never logged in'],
]

const columns: ColumnsOf<typeof usersList> = [
  {
    header: 'Full Name',
    role: 'title',
    isLink: true,
    sort: 'full_name',
    picture: (user) => <Avatar user={user} />,
    cell: (user) => <NameCell user={user} />,
  },
  { header: 'Email', minWidth: 14, share: 42, sort: 'email', cell: (user) => <EmailCell user={user} /> },
  { header: 'Role', area: 'third-end', width: 6.5, cell: (user) => <RoleCell user={user} /> },
  { header: 'Status', area: 'title-end', width: 5.75, cell: (user) => <StatusCell user={user} /> },
  {
    header: 'Last Active',
    area: 'third',
    kind: 'time',
    isNamed: ({ last_active_at }) => Boolean(last_active_at),
    width: 8,
    sort: 'last_active_at',
    needs: 'activity',
    cell: (user) => <LastActiveCell user={user} />,
  },
]

export function UsersPage() {
  return (
    <ListPage
      list={usersList}
      description="A list of all users."
      add="Add User"
      actions={[
        { kind: 'invite', label: 'Invite User', needs: 'administration' },
        { kind: 'import', label: 'Import CSV', icon: FileUp, needs: 'administration' },
      ]}
      columns={columns}
      filters={({ search, change, one, range }) => (
        <>
          <FilterChoices label="Role" {...one('role')} />
          <FilterChoices label="Status" {...one('status')} />
          <Needs capability="activity">
            <FilterSelect
              label="Last active"
              value={search.never_active === 'only' ? never : String(search.idle_days ?? '')}
              options={idleDays}
              textOf={idleText}
              onChoose={(value) =>
                change({
                  idle_days: value === undefined || value === never ? undefined : Number(value),
                  never_active: value === never ? 'only' : undefined,
                })
              }
            />
          </Needs>
          {/* If a URL has set this filter, every server shows it. */}
          <Needs capability={search.confirmed === undefined ? 'confirmed-addresses' : undefined}>
            <FilterSelect label="Address" {...one('confirmed')} options={confirmations} />
          </Needs>
          <FilterCreated {...range('created')} />
        </>
      )}
      exportRows={usersExportUsers}
      bulk={bulkActions}
      rowActions={actionsFor}
      lockOf={lockOf}
      dialogs={UserDialogs}
    />
  )
}

function NameCell({ user }: { user: UserPublic }) {
  const { id, full_name } = user
  const isSelf = useCurrentUser().id === id
  return (
    <span className="flex items-center gap-x-2">
      <Link
        to="/users/$userId"
        params={{ userId: id }}
        title={full_name || user.email}
        aria-label={full_name ? undefined : `N/A, ${user.email}`}
        className={nameClass}
      >
        {full_name ? <UserText show="one line">{full_name}</UserText> : <NotAvailable />}
      </Link>
      {isSelf && <Badge variant="outline">You</Badge>}
    </span>
  )
}
