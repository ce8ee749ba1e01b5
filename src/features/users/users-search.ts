import type { UsersReadUsersData } from '@/client/types.gen'
import { readDialog } from '@/lib/dialog-search'
import { oneOf, type ParametersOf, readList, sortBy, toText, upTo } from '@/lib/list-search'

// The URLs of the users page and of a user's page. Without code of the client, as the head script uses it.

export const userList = readList<ParametersOf<UsersReadUsersData>>({
  q: toText,
  role: oneOf('superuser', 'user'),
  status: oneOf('active', 'inactive', 'invited'),
  idle_days: upTo(3650),
  sort: sortBy('created_at', 'email', 'full_name', 'last_active_at'),
})

const changes = ['activate', 'deactivate', 'make_superuser', 'remove_superuser'] as const

const readUsersDialog = readDialog(['add', 'invite'], ['edit', 'delete', 'resend', ...changes, 'bulk'])
const readUserDialog = readDialog([], ['edit', 'delete', 'resend', 'end_sessions', ...changes])

export type UsersDialog = NonNullable<ReturnType<typeof readUsersDialog>['dialog']>
export type UserDialog = NonNullable<ReturnType<typeof readUserDialog>['dialog']>

export const readUsersSearch = (search: Record<string, unknown>) => ({
  ...userList.toSearch(search),
  ...readUsersDialog(search),
})

/** Of a user's page. */
export const readUserSearch = readUserDialog
