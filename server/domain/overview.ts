import type { Actor } from './access.ts'
import type { createAdministration } from './administration.ts'
import type { createItems } from './items.ts'

interface Lists {
  items: Pick<ReturnType<typeof createItems>, 'list' | 'readLastEdited'>
  administration: Pick<ReturnType<typeof createAdministration>, 'list' | 'countByStatus'>
}

const NEWEST_USERS = 3

/** What the dashboard shows. Permissions are those of the lists that it reads. */
export function createOverview({ items, administration }: Lists) {
  return {
    /** @throws DomainError `busy` */
    async read(actor: Actor, signal?: AbortSignal) {
      const { count } = await items.list(actor, {}, { skip: 0, limit: 0 })
      return {
        items: { count, lastEdited: await items.readLastEdited(actor) },
        users: actor.user.is_superuser ? await readUsers(actor, signal) : null,
      }
    },
  }

  async function readUsers(actor: Actor, signal: AbortSignal | undefined) {
    const counts = await administration.countByStatus(actor, signal)
    const { data: newest } = await administration.list(actor, {}, { skip: 0, limit: NEWEST_USERS })
    return { ...counts, newest }
  }
}
