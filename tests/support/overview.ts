import type { AuditEntry, Overview, UserPublic } from '@/client/types.gen'
import { statusOf } from './find-rows'
import { overviewOfItems } from './items/overview'
import { type Host, withVersion } from './resource-handlers'
import type { People } from './people'

interface Data extends Pick<Host, 'user' | 'isPrivate' | 'editedAt' | 'hasVersions' | 'rowsOf'> {
  users: UserPublic[]
  people: People
}

const DAY = 86_400_000

/** Counts of the last 30 days. They are approximate: the mock stores only the last activity of each user. */
function daysOf(users: readonly UserPublic[]) {
  return Array.from({ length: 30 }, (_, index) => {
    const day = new Date(Date.now() - (29 - index) * DAY).toISOString().slice(0, 10)
    return {
      day,
      new_users: users.filter((one) => one.created_at.startsWith(day)).length,
      active_users: users.filter((one) => one.last_active_at?.startsWith(day)).length,
    }
  })
}

function failedLogIns(entries: readonly AuditEntry[]) {
  const failed = entries.filter(({ action, result }) => action === 'log-in' && result !== 'done')
  const ages = failed.map(({ at }) => (Date.now() - Date.parse(at)) / DAY)
  return {
    last_day: ages.filter((age) => age <= 1).length,
    day_before: ages.filter((age) => age > 1 && age <= 2).length,
  }
}

export function overviewOf(data: Data): Overview {
  const { user, users, people } = data
  const count = (status: string) => users.filter((one) => statusOf(one) === status).length
  return {
    items: overviewOfItems(data),
    users: user?.is_superuser
      ? {
          active: count('active'),
          inactive: count('inactive'),
          invited: count('invited'),
          expiring: people.expiring,
          idle: users.filter((one) => Date.now() - Date.parse(one.last_active_at ?? one.created_at) >= 90 * DAY).length,
          failed_log_ins: failedLogIns(people.audit),
          newest: users.slice(0, 5).map((one) => withVersion(data, one)),
        }
      : null,
    days: user?.is_superuser ? daysOf(users) : null,
    setup: user?.is_superuser ? { generated_password: people.hasGeneratedPassword, mail: people.hasMail } : null,
  }
}
