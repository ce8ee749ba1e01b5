import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { UsersBulk } from '@/client/types.gen'
import type { BulkRows } from '@/components/dialog/bulk-dialog'
import { UserText } from '@/components/ui/user-text'
import { ownedRows } from '@/lib/owned-rows'
import { usersList } from '../users-list'

const MAX_SUPERUSERS_READ = 100
const MAX_SUPERUSERS_NAMED = 10

/** Names the superusers among the selected users, because activating them restores their role. */
export function useSuperusersToActivate(
  { selection, filter }: BulkRows<NonNullable<UsersBulk['filter']>>,
  isNeeded: boolean,
) {
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

export const superuserPowers = `They will see and change all users and all ${ownedRows}.`

export const powersAsSuperuser = `As a superuser, they see and change all users and all ${ownedRows}.`
