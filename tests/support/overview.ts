import type { ItemPublic, Overview, UserPublic } from '@/client/types.gen'
import { statusOf } from './find-rows'
import { type Host, visibleRows } from './owned-handlers'

interface Data extends Pick<Host, 'user' | 'isPrivate' | 'editedAt'> {
  items: ItemPublic[]
  users: UserPublic[]
}

/** The data of a user's dashboard. */
export function overviewOf(data: Data): Overview {
  const { user, users, editedAt } = data
  const items = visibleRows(data, data.items)
  const count = (status: string) => users.filter((one) => statusOf(one) === status).length
  const edits = items.map((item) => ({ item, at: editedAt.get(item) ?? item.created_at }))
  const [last_edited = null] = edits.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return {
    items: { count: items.length, last_edited },
    users: user?.is_superuser
      ? {
          active: count('active'),
          inactive: count('inactive'),
          invited: count('invited'),
          newest: users.slice(0, 3),
        }
      : null,
  }
}
