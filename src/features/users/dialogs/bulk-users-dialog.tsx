import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UsersBulkSchema } from '@/client/schemas.gen'
import { usersBulkUsers } from '@/client/sdk.gen'
import type { UsersBulk, UserUpdate } from '@/client/types.gen'
import { BulkDialog, type BulkRows } from '@/components/dialog/bulk-dialog'
import type { BulkWords } from '@/components/dialog/bulk-result'
import type { PageDialogControl } from '@/components/page-dialogs'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { resources } from '@/data/resources'
import { ownedRows } from '@/lib/owned-rows'
import { EndTokens, superuserPowers } from './user-form'
import { usersList } from '../users-list'

export interface Change extends BulkWords {
  title: string
  consequence: string
  consequenceOfOne?: string
  body: UserUpdate
  undoneBy?: 'activate' | 'deactivate'
  variant?: 'primary'
}

export const changes = {
  activate: {
    title: 'Activate',
    consequence: 'They can log in again.',
    body: { is_active: true },
    done: ['activated.', 'activated.'],
    already: ['was active already.', 'were active already.'],
    undoneBy: 'deactivate',
    variant: 'primary',
  },
  deactivate: {
    title: 'Deactivate',
    consequence: `They are logged out everywhere, their API tokens are revoked, and they cannot log in until they are activated again. Their ${ownedRows} stay.`,
    body: { is_active: false },
    done: ['deactivated.', 'deactivated.'],
    already: ['was inactive already.', 'were inactive already.'],
    undoneBy: 'activate',
    variant: 'primary',
  },
  make_superuser: {
    title: 'Make Superuser',
    consequence: `${superuserPowers} They are logged out, their API tokens are revoked, and they have to log in again.`,
    body: { is_superuser: true },
    done: ['is a superuser now.', 'are superusers now.'],
    already: ['was a superuser already.', 'were superusers already.'],
    variant: 'primary',
  },
  remove_superuser: {
    title: 'Remove Superuser',
    consequence: `They will only see and change their own ${ownedRows}. They are logged out and have to log in again.`,
    body: { is_superuser: false },
    done: ['is no longer a superuser.', 'are no longer superusers.'],
    already: ['was not a superuser.', 'were not superusers.'],
  },
} satisfies Record<string, Change>

export type UserChange = keyof typeof changes

export const isChange = (name: string): name is UserChange => Object.hasOwn(changes, name)

interface BulkUsersDialogProps extends PageDialogControl, BulkRows<NonNullable<UsersBulk['filter']>> {
  action: UsersBulk['action']
}

export const bulks = {
  ...changes,
  end_sessions: {
    title: 'Log Out',
    consequence: 'They are logged out everywhere, and can log in again.',
    done: ['is logged out.', 'are logged out.'],
    already: ['was not logged in.', 'were not logged in.'],
    variant: 'primary',
  },
  delete: {
    title: 'Delete',
    consequence: `These users will be permanently deleted. All ${ownedRows} associated with them will also be permanently deleted. This action cannot be undone.`,
    consequenceOfOne: `This user will be permanently deleted. All ${ownedRows} associated with this user will also be permanently deleted. This action cannot be undone.`,
    done: ['was deleted.', 'were deleted.'],
    isDeletion: true,
  },
} satisfies Record<UsersBulk['action'], Omit<Change, 'body'>>

export const isBulkAction = (name: string): name is UsersBulk['action'] => Object.hasOwn(bulks, name)

export function BulkUsersDialog({ action, ...props }: BulkUsersDialogProps) {
  const { id: ownId } = useCurrentUser()
  const superusers = useSuperusersToActivate(props, action === 'activate')
  const [endTokens, setEndTokens] = useState(false)
  const { body, undoneBy, ...bulk }: Omit<Change, 'body'> & Partial<Change> = bulks[action]
  return (
    <BulkDialog
      {...props}
      {...bulk}
      {...superusers}
      schema={UsersBulkSchema}
      send={(target) => usersBulkUsers({ body: { action, ...target, ...(endTokens && { end_tokens: true }) } })}
      choice={action === 'end_sessions' && <EndTokens checked={endTokens} onCheck={setEndTokens} />}
      fields={body}
      undo={
        undoneBy && {
          send: (ids) => usersBulkUsers({ body: { action: undoneBy, ids } }),
          fields: changes[undoneBy].body,
          done: changes[undoneBy].done,
        }
      }
      kept={{ id: ownId, note: 'Your own account is not changed.' }}
      invalidates={['users', ...(action === 'delete' ? resources.map(({ tag }) => tag) : [])]}
    />
  )
}

const MAX_SUPERUSERS_READ = 100
const MAX_SUPERUSERS_NAMED = 10

/** Names the superusers among the selected users, because activating them restores their role. */
function useSuperusersToActivate({ selection, filter }: BulkRows<NonNullable<UsersBulk['filter']>>, isNeeded: boolean) {
  // The dialog keeps a copy of the selection, which is cleared while the dialog is still closing.
  const [{ rows, isAll }] = useState(() => selection.state.get())
  const { role = 'superuser', status = 'inactive' } = isAll ? filter : {}
  const isPossible = isNeeded && role === 'superuser' && status === 'inactive'
  const { data, isPending } = useQuery({
    ...usersList.page({ ...(isAll && filter), role, status, skip: 0, limit: MAX_SUPERUSERS_READ }),
    enabled: isPossible,
    retry: false,
  })
  if (!isPossible) return {}
  if (isPending) return { isNotePending: true }
  const isUnsure = !data || (!isAll && data.count > data.data.length)
  if (isUnsure) return { note: `Superusers may be among them, who see and change all users and all ${ownedRows}.` }
  const found = data.data.filter(({ id }) => isAll || rows.has(id)).map(({ email }) => email)
  const count = isAll ? data.count : found.length
  if (count === 0) return {}
  return {
    note: (
      <strong className="mt-2 block text-foreground">
        {`Superusers among them, who see and change all users and all ${ownedRows}: `}
        <UserText>{found.slice(0, MAX_SUPERUSERS_NAMED).join(', ')}</UserText>
        {count > MAX_SUPERUSERS_NAMED && `, and ${count - MAX_SUPERUSERS_NAMED} more`}
      </strong>
    ),
  }
}
