import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/data-table'
import { PageHeader } from '@/components/page-header'
import { PagedList } from '@/components/paged-list'
import { RowMenu } from '@/components/row-menu'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { pageQuery } from '@/lib/paging'
import { AddUserDialog } from './add-user-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'

/** One page of users, newest first. */
export const usersPageOptions = (page: number) => usersReadUsersOptions({ query: pageQuery(page) })

type UsersDialog = { kind: 'add' } | { kind: 'edit' | 'delete'; user: UserPublic }

function columnsFor(ownId: string, show: (dialog: UsersDialog) => void): Column<UserPublic>[] {
  return [
    {
      header: 'Full Name',
      role: 'title',
      cell: ({ id, full_name }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-words">{full_name || <NotAvailable />}</span>
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

/** @param ownId of the signed-in superuser */
export function UsersPage({ page, ownId }: { page: number; ownId: string }) {
  const dialog = useDialog<UsersDialog>()
  return (
    <>
      <PagedList
        options={usersPageOptions(page)}
        page={page}
        header={() => (
          <PageHeader title="Users" description="A list of all users.">
            <Button onClick={() => dialog.show({ kind: 'add' })}>Add User</Button>
          </PageHeader>
        )}
      >
        {(rows) => <DataTable label="Users" columns={columnsFor(ownId, dialog.show)} rows={rows} />}
      </PagedList>
      {dialog.content?.kind === 'add' && <AddUserDialog key={dialog.opening} {...dialog.props} />}
      {dialog.content?.kind === 'edit' && (
        <EditUserDialog key={dialog.opening} {...dialog.props} user={dialog.content.user} />
      )}
      {dialog.content?.kind === 'delete' && (
        <DeleteUserDialog
          key={dialog.opening}
          {...dialog.props}
          user={dialog.content.user}
          onDeleted={dialog.closeForGood}
        />
      )}
    </>
  )
}
