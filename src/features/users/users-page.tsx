import { memo, useMemo } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/data-table'
import { openMenu } from '@/components/menu'
import { onDemand, usePreload } from '@/components/on-demand'
import { PageHeader } from '@/components/page-header'
import { PagedList } from '@/components/paged-list'
import { RowMenu } from '@/components/row-menu'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { usersPageOptions } from './users-query'
import type { UsersDialog } from './user-dialogs'

const userDialogs = onDemand(async () => (await import('./user-dialogs')).UserDialogs)
const parts = [openMenu, userDialogs]

function columnsFor(ownId: string, show: (dialog: UsersDialog) => void): Column<UserPublic>[] {
  return [
    {
      header: 'Full Name',
      role: 'title',
      cell: ({ id, full_name }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0">{full_name || <NotAvailable />}</span>
          {id === ownId && <Badge variant="outline">You</Badge>}
        </span>
      ),
    },
    { header: 'Email', cell: ({ email }) => email },
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
    {
      header: 'Actions',
      role: 'actions',
      width: 'md:w-24',
      cell: (user) => (
        <RowMenu
          name={user.email}
          disabled={user.id === ownId}
          onEdit={() => show({ kind: 'edit', user })}
          onDelete={() => show({ kind: 'delete', user })}
        />
      ),
    },
  ]
}

interface UsersPageProps {
  page: number
  /** Of the signed-in superuser. */
  ownId: string
}

export function UsersPage({ page, ownId }: UsersPageProps) {
  const dialog = useDialog<UsersDialog>('users')
  usePreload(parts)
  return (
    <>
      <UsersList page={page} ownId={ownId} show={dialog.show} />
      {dialog.content && (
        <userDialogs.Part
          key={dialog.opening}
          content={dialog.content}
          control={dialog.props}
          closeForGood={dialog.closeForGood}
          onFailure={dialog.props.onClose}
        />
      )}
    </>
  )
}

interface UsersListProps extends UsersPageProps {
  show: (dialog: UsersDialog) => void
}

/** Apart from the dialog, which opens and closes without it. */
const UsersList = memo(function UsersList({ page, ownId, show }: UsersListProps) {
  const columns = useMemo(() => columnsFor(ownId, show), [ownId, show])
  return (
    <PagedList
      options={usersPageOptions(page)}
      page={page}
      header={() => (
        <PageHeader title="Users" description="A list of all users.">
          <Button onClick={() => show({ kind: 'add' })}>Add User</Button>
        </PageHeader>
      )}
    >
      {(rows) => <DataTable label="Users" columns={columns} rows={rows} />}
    </PagedList>
  )
})
