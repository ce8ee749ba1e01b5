import { listAccounts } from '../administration/rules.ts'
import { countFailures, hasEntry } from '../audit/queries.ts'
import type { AuditAction } from '../audit/record.ts'
import { readItemsOverview } from '../items/overview.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { countExpiring } from '../sign-in/challenge-queries.ts'
import { INVITATION_PURPOSES } from '../sign-in/challenges.ts'
import { requireAccess, type AccountActor } from '../users/access.ts'
import { countUsersByDay, DAY } from '../users/days-queries.ts'
import { countIdleUsers, countUsersByStatus } from '../users/queries.ts'

const NEWEST_USERS = 5
const DAYS = 30
const IDLE_DAYS = 90

/** Each of these actions replaces a generated password. */
const newPassword = ['password-change', 'password-set', 'password-reset'] satisfies AuditAction[]

/** Reads what the dashboard shows. It contains only rows that the actor may see in lists. @throws DomainError `busy` */
export async function readOverview(context: Context, actor: AccountActor, signal?: AbortSignal) {
  return {
    items: await readItemsOverview(context, actor),
    ...(actor.user.is_superuser ? await readAdministration(context, actor, signal) : nothing),
  }
}

const nothing = { users: null, days: null, setup: null }

async function readAdministration(context: Context, actor: AccountActor, signal: AbortSignal | undefined) {
  requireAccess(actor, 'superuser')
  const { config, now, reads } = context
  const { data: newest } = await listAccounts(context, actor, {}, { skip: 0, limit: NEWEST_USERS })
  const at = now()
  const { counts, days, generatedPassword, failed, ...others } = await reads.run(
    actor.user.id,
    'overview',
    async (db) => ({
      counts: await countUsersByStatus(db),
      days: await countUsersByDay(db, at, DAYS),
      generatedPassword: await hasGeneratedPassword(context, db, actor),
      expiring: await countExpiring(db, INVITATION_PURPOSES, at, at + DAY),
      idle: await countIdleUsers(db, at - IDLE_DAYS * DAY),
      failed: await countFailures(db, 'log-in', { from: at - 2 * DAY, middle: at - DAY, to: at }),
    }),
    signal,
  )
  return {
    users: { ...counts, ...others, failed_log_ins: { last_day: failed.after, day_before: failed.before }, newest },
    days,
    setup: { generated_password: generatedPassword, mail: config.mail.smtpUrl !== undefined },
  }
}

/** Whether the first superuser still has the password that the first start printed. */
async function hasGeneratedPassword({ config }: Context, db: Db, { user }: AccountActor): Promise<boolean> {
  const { email, password } = config.firstSuperuser
  if (password !== undefined || emailKey(email) !== emailKey(user.email)) return false
  return !(await hasEntry(db, user.id, newPassword))
}
