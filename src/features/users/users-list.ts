import { Users } from 'lucide-react'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { usersReadUserById } from '@/client/sdk.gen'
import { defineList } from '@/data/api/list'
import { choice, choices, dayOrTime, type DialogOf, flag, rowId, upTo } from '@/lib/search-params'

const actions = {
  resend: rowId,
  reset_password: rowId,
  activate: rowId,
  deactivate: rowId,
  make_superuser: rowId,
  remove_superuser: rowId,
}

export const usersList = defineList({
  tag: 'users',
  noun: 'user',
  icon: Users,
  name: 'email',
  read: usersReadUsersOptions,
  readRow: (id, signal) => usersReadUserById({ path: { user_id: id }, signal }),
  filters: {
    role: choices(['superuser', 'user']),
    status: choices(['active', 'inactive', 'invited']),
    idle_days: upTo(3650),
    never_active: choice(['only']),
    confirmed: choice(['yes', 'no']),
    created_from: dayOrTime(),
    created_to: dayOrTime(),
  },
  sorts: ['email', 'full_name', 'last_active_at'],
  dialogs: { add: flag, invite: flag, import: flag, edit: rowId, delete: rowId, ...actions, bulk: rowId },
  // With `from_creation`, users who were invited a minute ago do not count as inactive for a year.
  toQuery: (query) =>
    query.idle_days === undefined ? query : { ...query, never_active: query.never_active ?? 'from_creation' },
})

export const userDialogs = {
  edit: rowId,
  delete: rowId,
  end_sessions: rowId,
  reset_second_factor: rowId,
  ...actions,
}

export type UserDialog = DialogOf<typeof userDialogs>
