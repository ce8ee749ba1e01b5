import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Ellipsis, FileUp } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { usersExportUsers } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Link } from '@/components/link'
import { type Column, NotAvailable } from '@/components/list/data-table'
import { FilterCreated } from '@/components/list/filter-created'
import { FilterSelect, type Option } from '@/components/list/filter-select'
import { ListFailure, ListTable } from '@/components/list/list-table'
import { ListToolbar } from '@/components/list/list-toolbar'
import { nameClass } from '@/components/list/opener-column'
import { menuColumn, RowMenu } from '@/components/list/row-menu'
import { SelectionBar } from '@/components/list/selection-bar'
import { useRowSelection } from '@/components/list/row-selection'
import { useIsSelecting } from '@/components/list/selection'
import { useList } from '@/components/list/use-list'
import { AddButton, PageHeader } from '@/components/page-header'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Menu } from '@/components/menu'
import { Button, buttonClass } from '@/components/ui/button'
import { type OpenDialog, useDialog } from '@/components/use-dialog'
import { Tooltip } from '@/components/ui/tooltip'
import { UserText } from '@/components/ui/user-text'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { useInstance } from '@/data/api/use-instance'
import { BulkUsersDialog, UserDialogs } from './lazy-dialogs'
import { activate, actionsFor, deactivate, furtherBulkActions, ownAccount } from './user-actions'
import { EmailCell, LastActiveCell, RoleCell, StatusCell } from './user-cells'
import { userResource, usersQuery } from './users-queries'
import { userFilters, type UsersDialog, usersDialogs } from './users-search'

const route = getRouteApi('/_layout/users')

const roles: Option<'superuser' | 'user'>[] = [
  ['', 'Any'],
  ['superuser', 'Superuser'],
  ['user', 'User'],
]
const statuses: Option<'active' | 'inactive' | 'invited'>[] = [
  ['', 'Any'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
  ['invited', 'Invited'],
]
const confirmations: Option<'yes' | 'no'>[] = [
  ['', 'Any'],
  ['yes', 'Confirmed'],
  ['no', 'Not confirmed'],
]
/** Instead of a number of days. */
const never = 'never'
const idleText = (days: string) => `Not for ${days} ${days === '1' ? 'day' : 'days'}`
const idleDays: Option[] = [
  ['', 'Any time'],
  ...['7', '30', '90', '180', '365'].map((days) => [days, idleText(days)] as const),
  [never, 'Never logged in'],
]

const nameOf = ({ email }: UserPublic) => email

export function UsersPage(): ReactNode {
  const search = route.useSearch()
  const query = route.useLoaderDeps()
  const list = useList({
    search,
    filterNames: userFilters,
    query,
    read: usersQuery,
    noun: 'user',
  })
  const { dialog, opening, open, control } = useDialog(usersDialogs, search)
  const { id: ownId } = useCurrentUser()
  const isCapable = hasCapabilities(useCurrentUser())
  const { data: instance } = useInstance()
  const { skip, limit, sort, ...filters } = query
  const lockOf = useCallback(({ id }: UserPublic) => (id === ownId ? ownAccount : undefined), [ownId])
  const selectionColumn = useRowSelection('users', { list, filters, nameOf, lockOf })
  const { selection } = selectionColumn
  const isSelecting = useIsSelecting(selection)
  // Back ends without activity omit the field.
  const hasActivity = isCapable && list.rows?.every(({ last_active_at: time }) => time === undefined) !== true
  const columns = useColumns(open, lockOf, hasActivity)

  if (!list.isReady && list.failure !== null) return <ListFailure list={list} />
  return (
    <>
      <PageHeader title="Users" description="A list of all users.">
        <div className="flex flex-wrap gap-2">
          {isCapable && (
            <Button variant="secondary" onClick={(event) => open({ kind: 'invite' }, event.currentTarget)}>
              Invite User
            </Button>
          )}
          {isCapable && (
            <Button
              variant="secondary"
              className="max-md:hidden"
              onClick={(event) => open({ kind: 'import' }, event.currentTarget)}
            >
              Import CSV
            </Button>
          )}
          <AddButton onClick={(event) => open({ kind: 'add' }, event.currentTarget)}>Add User</AddButton>
        </div>
      </PageHeader>
      <ListToolbar
        list={list}
        columns={columns}
        filters={
          <>
            <FilterSelect label="Role" value={search.role} options={roles} onChoose={(role) => list.change({ role })} />
            <FilterSelect
              label="Status"
              value={search.status}
              options={statuses}
              onChoose={(status) => list.change({ status })}
            />
            {hasActivity && (
              <FilterSelect
                label="Last active"
                value={search.never_active === 'only' ? never : String(search.idle_days ?? '')}
                options={idleDays}
                textOf={idleText}
                onChoose={(value) =>
                  list.change(
                    value === never
                      ? { idle_days: undefined, never_active: 'only' }
                      : { idle_days: value === undefined ? undefined : Number(value), never_active: undefined },
                  )
                }
              />
            )}
            {(instance?.confirm_email || search.confirmed !== undefined) && (
              <FilterSelect
                label="Address"
                value={search.confirmed}
                options={confirmations}
                onChoose={(confirmed) => list.change({ confirmed })}
              />
            )}
            {isCapable && <FilterCreated search={search} onChange={list.change} />}
          </>
        }
        exportAs={
          isCapable
            ? {
                request: () => usersExportUsers({ query: { ...filters, ...(sort && { sort }) }, parseAs: 'blob' }),
                fileName: 'users.csv',
              }
            : undefined
        }
        more={[{ label: 'Import CSV', icon: FileUp, onSelect: (opener) => open({ kind: 'import' }, opener) }]}
        selection={isCapable ? selection : undefined}
      />
      <ListTable list={list} label="Users" columns={columns} selectionColumn={isCapable ? selectionColumn : undefined}>
        {isSelecting && (
          <SelectionBar selection={selection} list={list}>
            {(isEmpty) => (
              <>
                {[activate, deactivate].map(({ kind, label, icon: Icon }) => (
                  <Button
                    key={kind}
                    variant="secondary"
                    disabled={isEmpty}
                    onClick={({ currentTarget }) => open({ kind: 'bulk', id: kind }, currentTarget)}
                  >
                    <Icon aria-hidden />
                    {label}
                  </Button>
                ))}
                <Tooltip label="More actions">
                  {' '}
                  <Menu
                    aria-label="More actions on the selected users"
                    disabled={isEmpty}
                    className={buttonClass('secondary', 'icon', 'size-9')}
                    align="end"
                    entries={furtherBulkActions.map(({ kind, ...entry }) => ({
                      ...entry,
                      onSelect: (opener) => open({ kind: 'bulk', id: kind }, opener),
                    }))}
                  >
                    <Ellipsis aria-hidden />
                  </Menu>
                </Tooltip>
              </>
            )}
          </SelectionBar>
        )}
      </ListTable>
      {dialog &&
        (dialog.kind === 'bulk' ? (
          <BulkUsersDialog
            key={opening}
            onFailure={control.onClose}
            action={dialog.id}
            selection={selection}
            list={list}
            filter={filters}
            {...control}
          />
        ) : (
          <UserDialogs key={opening} dialog={dialog} control={control} onFailure={control.onClose} />
        ))}
    </>
  )
}

const email: Column<UserPublic> = { header: 'Email', sort: 'email', cell: (user) => <EmailCell user={user} /> }
const role: Column<UserPublic> = {
  header: 'Role',
  area: 'third-end',
  width: 'columns:w-26',
  cell: (user) => <RoleCell user={user} />,
}
const status: Column<UserPublic> = {
  header: 'Status',
  area: 'title-end',
  width: 'columns:w-24',
  cell: (user) => <StatusCell user={user} />,
}
const details: readonly Column<UserPublic>[] = [email, role, status]
const lastActive: Column<UserPublic> = {
  header: 'Last Active',
  area: 'third',
  isNamed: true,
  width: 'columns:w-33',
  sort: 'last_active_at',
  cell: (user) => <LastActiveCell user={user} />,
}

/** The columns, which stay the same objects so that rows do not render again. */
function useColumns(
  open: OpenDialog<UsersDialog>,
  lockOf: (user: UserPublic) => string | undefined,
  hasActivity: boolean,
): readonly Column<UserPublic>[] {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const name: Column<UserPublic> = {
      header: 'Full Name',
      role: 'title',
      // The address, which tells people apart, gets the rest.
      width: 'columns:w-[calc(30cqw-5rem)]',
      sort: 'full_name',
      picture: (user) => <Avatar user={user} />,
      cell: (user) => <NameCell user={user} />,
    }
    const menu = menuColumn((user: UserPublic) => (
      <RowMenu
        name={user.email}
        disabledFor={lockOf(user)}
        onOpen={() => void queryClient.prefetchQuery(userResource(user.id))}
        onEdit={(opener) => open({ kind: 'edit', id: user.id }, opener)}
        more={actionsFor(user).map(({ kind, ...entry }) => ({
          ...entry,
          onSelect: (opener) => open({ kind, id: user.id }, opener),
        }))}
        onDelete={(opener) => open({ kind: 'delete', id: user.id }, opener)}
      />
    ))
    return [name, ...details, ...(hasActivity ? [lastActive] : []), menu]
  }, [open, queryClient, lockOf, hasActivity])
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
