import type { UsersReadUsersData } from '@/client/types.gen'
import { readDialog } from '@/lib/dialog-search'
import { oneOf, type ParametersOf, readList, sortBy, toText, upTo } from '@/lib/list-search'

// The URLs of the users page and of a user's page. Without code of the client, as the head script uses it.

const parameters = readList<ParametersOf<UsersReadUsersData>>({
  q: toText,
  role: oneOf('superuser', 'user'),
  status: oneOf('active', 'inactive', 'invited'),
  idle_days: upTo(3650),
  never_active: oneOf('only'),
  sort: sortBy('created_at', 'email', 'full_name', 'last_active_at'),
})

export const userList: typeof parameters = {
  ...parameters,
  toQuery(search) {
    const query = parameters.toQuery(search)
    // Otherwise somebody who was invited a minute ago would not have been active for a year.
    return query.idle_days === undefined ? query : { ...query, never_active: query.never_active ?? 'from_creation' }
  },
}

const changes = ['activate', 'deactivate', 'make_superuser', 'remove_superuser'] as const

const readUsersDialog = readDialog(['add', 'invite', 'import'], ['edit', 'delete', 'resend', ...changes, 'bulk'])
const readUserDialog = readDialog([], ['edit', 'delete', 'resend', 'end_sessions', 'reset_second_factor', ...changes])

export type UsersDialog = NonNullable<ReturnType<typeof readUsersDialog>['dialog']>
export type UserDialog = NonNullable<ReturnType<typeof readUserDialog>['dialog']>

export const readUsersSearch = (search: Record<string, unknown>) => ({
  ...userList.toSearch(search),
  ...readUsersDialog(search),
})

/** Of a user's page. */
export const readUserSearch = readUserDialog
