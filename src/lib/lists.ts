import type { AuditExportAuditData, ItemsReadItemsData, UsersReadUsersData } from '@/client/types.gen'
import { oneOf, readList, readParameters, sortBy, toDay, toId, toText, upTo } from './list-search'

// The search parameters of each list, for the routes and the head script.

type ParametersOf<Data extends { query?: object }> = Omit<NonNullable<Data['query']>, 'skip' | 'limit'>

export const itemList = readList<ParametersOf<ItemsReadItemsData>>({
  q: toText,
  owner_id: toId,
  sort: sortBy('created_at', 'title'),
})

export const userList = readList<ParametersOf<UsersReadUsersData>>(
  {
    q: toText,
    role: oneOf('superuser', 'user'),
    status: oneOf('active', 'inactive', 'invited'),
    idle_days: upTo(3650),
    sort: sortBy('created_at', 'email', 'full_name', 'last_active_at'),
  },
  ['add', 'invite', 'edit', 'delete', 'resend', 'activate', 'deactivate', 'make_superuser', 'remove_superuser'],
)

export const auditLog = readParameters<ParametersOf<AuditExportAuditData>>({
  action: toText,
  result: toText,
  actor_id: toId,
  subject_id: toId,
  from: toDay,
  to: toDay,
})
