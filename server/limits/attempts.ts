import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { emailKey as keyOfAddress } from '../platform/lib/email-address.ts'
import type { SessionActor } from '../users/access.ts'
import { readKnownNetworks } from './known-networks.ts'
import type { LimitName, Subject } from './table.ts'
import { deleteUses, type LimitUse } from './queries.ts'
import { consume, forget, requireLeft } from './rules.ts'

// Limits attempts with a password or code: docs/decisions/0013-limits.md. Wrong attempts count per account and network,
// per account for all unknown networks, and per network. Addresses that have no account count in the same way.

export interface Attempt {
  /** Runs before hashing, so that concurrent attempts cannot exceed a limit. @throws DomainError `too-many` */
  reserve: () => Promise<void>
  /** Takes back the uses of limits that do not count this result. */
  commit: (db: Db, result: 'right' | 'wrong') => Promise<void>
}

type Work<T> = (attempt: Attempt) => Promise<T>

/** @throws DomainError `too-many` */
export async function attemptLogIn<T>(context: Context, emailKey: string, ip: string, work: Work<T>): Promise<T> {
  const { account, isKnownNetwork } = await readKnownNetworks(context, emailKey, ip)
  const limits: LimitName[] = ['logIn', 'rightPassword']
  if (!isKnownNetwork) limits.push('logInFromUnknownNetworks')
  return attempt(context, [...limits, 'logInsOfNetwork'], { account, ip }, work)
}

/** @throws DomainError `too-many` */
export async function attemptOwnPassword<T>(context: Context, actor: SessionActor, work: Work<T>): Promise<T> {
  const { user, sessionId: session, ip } = actor
  const { account } = await readKnownNetworks(context, keyOfAddress(user.email), ip)
  const subject = { user: user.id, session, account, ip }
  const own: LimitName[] = ['ownPasswordOfSession', 'ownPasswordOfSessionInDay', 'ownPassword']
  return attempt(context, [...own, 'logIn', 'rightPassword', 'logInsOfNetwork'], subject, work)
}

/** Runs an attempt with a password or code. An attempt that throws before its result is known does not count. */
async function attempt<T>(context: Context, names: readonly LimitName[], subject: Subject, work: Work<T>): Promise<T> {
  let uses: LimitUse[] = []
  await requireLeft(context, names, subject)
  try {
    return await work({
      async reserve() {
        uses = await consume(context, names, subject)
      },
      async commit(db, result) {
        const others = uses.filter(({ name }) => (name === 'rightPassword') !== (result === 'right'))
        await deleteUses(db, others)
      },
    })
  } catch (error) {
    // If the database is unavailable, the use counts until its window ends.
    await deleteUses(context.store.db, uses).catch(() => undefined)
    throw error
  }
}

/** Ends the waits after wrong passwords of an account. Waits of a session stay, so sessions must have ended before. */
export async function forgiveAttempts(context: Context, user: { id: string; email: string }): Promise<void> {
  await consume(context, 'forgiven', { email: keyOfAddress(user.email) })
  await forget(context, 'ownPassword', { user: user.id })
}
