import { countAccounts, listAccounts } from '../administration/rules.ts'
import { items } from '../items/rules.ts'
import type { Context } from '../platform/context.ts'
import { requireAccess, type SessionActor } from '../users/access.ts'
import { countUsersByDay, type UsersOfDay } from '../users/days-queries.ts'

const NEWEST_USERS = 5
const EDITED_ITEMS = 5
const DAYS = 30

/** What the dashboard shows. Permissions are those of the lists that it reads. @throws DomainError `busy` */
export async function readOverview(context: Context, actor: SessionActor, signal?: AbortSignal) {
  const { count } = await items.list(context, actor, {}, { skip: 0, limit: 0 })
  return {
    items: { count, recentlyEdited: await items.readRecentlyEdited(context, actor, EDITED_ITEMS) },
    users: actor.user.is_superuser ? await readUsers(context, actor, signal) : null,
    days: actor.user.is_superuser ? await readDays(context, actor, signal) : null,
  }
}

async function readUsers(context: Context, actor: SessionActor, signal: AbortSignal | undefined) {
  const counts = await countAccounts(context, actor, signal)
  const { data: newest } = await listAccounts(context, actor, {}, { skip: 0, limit: NEWEST_USERS })
  return { ...counts, newest }
}

async function readDays(
  { now, reads }: Context,
  actor: SessionActor,
  signal: AbortSignal | undefined,
): Promise<UsersOfDay[]> {
  requireAccess(actor, 'superuser')
  return reads.run(actor.user.id, (db) => countUsersByDay(db, now(), DAYS), signal)
}
