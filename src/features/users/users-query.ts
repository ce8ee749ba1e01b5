import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { usersReadUserById } from '@/client/sdk.gen'
import { resourceOptions } from '@/lib/api/resource'
import { type ListSearch, toListQuery } from '@/lib/list-search'

// Apart from the page, so that a route can ask for the rows while the page's code loads.

export const usersQuery = (search: ListSearch) => usersReadUsersOptions({ query: toListQuery(search) })

export const userResource = (id: string) =>
  resourceOptions('user', id, (signal) => usersReadUserById({ path: { user_id: id }, signal, throwOnError: true }))
