import type { ItemsReadItemsData, UsersReadUsersData } from '@/client/types.gen'
import { oneOf, readList, sortBy, toId, toText, upTo } from './list-search'

// What the address of each list can say. The routes and the head script read it alike.

type ParametersOf<Data extends { query?: object }> = Omit<NonNullable<Data['query']>, 'skip' | 'limit'>

export const itemList = readList<ParametersOf<ItemsReadItemsData>>({
  q: toText,
  owner_id: toId,
  sort: sortBy('created_at', 'title'),
})

export const userList = readList<ParametersOf<UsersReadUsersData>>({
  q: toText,
  role: oneOf('superuser', 'user'),
  status: oneOf('active', 'inactive', 'invited'),
  idle_days: upTo(3650),
  sort: sortBy('created_at', 'email', 'full_name', 'last_active_at'),
})
