import { by, recordAudit } from '../audit/record.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import type { Actor, Device, Origin } from '../users/access.ts'
import { findUser, lockUser } from '../users/queries.ts'
import { find, issue, redeem } from './challenges.ts'
import { completeLogIn } from './complete-log-in.ts'

// The operator's way to let somebody in, such as when the provider of company accounts is gone.

/** @returns the token of a link @throws DomainError `not-found`; `conflict` for an account that cannot log in */
export async function issueLogInLink(context: Context, actor: Actor, userId: string): Promise<string> {
  return context.store.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new DomainError('not-found', 'User not found')
    if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
    if (user.is_invited) throw new DomainError('conflict', 'This user has not accepted the invitation yet')
    await recordAudit(context, tx, { action: 'log-in-link', subjectId: user.id, ...by(actor) })
    return issue(context, tx, 'log-in-link', user.id, null)
  })
}

/** Whom a link logs in. It stays. @returns the address @throws DomainError `invalid` as below; `too-many` */
export async function readLogInLink(context: Context, { ip }: Origin, token: string): Promise<string> {
  const { store } = context
  await consume(context, store.db, 'logInLink', { ip })
  const { userId } = (await find(context, store.db, ['log-in-link'], token)) ?? {}
  const user = userId ? await findUser(store.db, userId) : undefined
  if (!user?.is_active) throw new DomainError('invalid', 'Invalid token')
  return user.email
}

/** Nothing more is asked. @returns an access token @throws DomainError `invalid` for any invalid token, without the reason; `too-many` */
export async function logInByLink(context: Context, device: Device, token: string): Promise<string> {
  const { store } = context
  await consume(context, store.db, 'logInLink', { ip: device.ip })
  const { userId } = (await find(context, store.db, ['log-in-link'], token)) ?? {}
  const begun =
    userId &&
    (await store.transaction(async (tx) => {
      const user = await lockUser(tx, userId)
      const used = user?.is_active && (await redeem(context, tx, ['log-in-link'], token))
      return used ? completeLogIn(context, tx, user, 'link', device) : undefined
    }))
  if (begun) return begun
  const { ip } = device
  await store.transaction(async (tx) => {
    // Made-up tokens cannot fill the audit log.
    if (!(await tryConsume(context, tx, 'invalidToken', { ip }))) return
    await recordAudit(context, tx, { action: 'log-in', result: 'invalid-token', ip, details: { method: 'link' } })
  })
  throw new DomainError('invalid', 'Invalid token')
}
