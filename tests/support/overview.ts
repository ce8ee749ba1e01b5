import type { ItemPublic, Overview, UserPublic } from '@/client/types.gen'
import { statusOf } from './find-rows'

/** The data of a user's dashboard. */
export function overviewOf(user: UserPublic | undefined, items: ItemPublic[], users: UserPublic[]): Overview {
  const count = (status: string) => users.filter((one) => statusOf(one) === status).length
  return {
    items: { count: items.length, newest: items.slice(0, 1) },
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
