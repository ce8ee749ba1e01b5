import { change } from '../sessions/change.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import type { Actor, Device, Origin } from '../users/access.ts'
import { findUser, lockUser } from '../users/queries.ts'
import { readChallenge, issueChallenge, redeemChallenge } from './challenges.ts'
import { completeLogIn } from './complete-log-in.ts'

// The operator can make a link that logs a person in, for example when the provider of company accounts has failed.

/** @returns the token of a link @throws DomainError `not-found`; `conflict` for an account that cannot log in */
export async function issueLogInLink(context: Context, actor: Actor, userId: string): Promise<string> {
  return change(context, actor, {}, async (act) => {
    const user = await lockUser(act.tx, userId)
    if (!user) throw new DomainError('not-found', 'User not found')
    if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
    if (user.is_invited) throw new DomainError('conflict', 'This user has not accepted the invitation yet')
    act.audit('log-in-link', { subjectId: user.id })
    return issueChallenge(act, 'log-in-link', user.id, null)
  })
}

/** The link stays valid. @returns the address of its account @throws DomainError `invalid`; `too-many` */
export async function readLogInLink(context: Context, { ip }: Origin, token: string): Promise<string> {
  await consume(context, 'logInLink', { ip })
  const { userId } = (await readChallenge(context, ['log-in-link'], token)) ?? {}
  const user = userId ? await findUser(context.store.db, userId) : undefined
  if (!user?.is_active) throw new DomainError('invalid', 'Invalid token')
  return user.email
}

/**
 * Logs in without a password or a second factor.
 * @returns an access token
 * @throws DomainError `invalid` for any invalid token, without the reason; `too-many`
 */
export async function logInByLink(context: Context, device: Device, token: string): Promise<string> {
  await consume(context, 'logInLink', { ip: device.ip })
  const { userId } = (await readChallenge(context, ['log-in-link'], token)) ?? {}
  const begun =
    userId &&
    (await change(context, device, {}, async (act) => {
      const user = await lockUser(act.tx, userId)
      const used = user?.is_active && (await redeemChallenge(act, ['log-in-link'], token))
      return used ? completeLogIn(act, user, 'link', device) : undefined
    }))
  if (begun) return begun
  const { ip } = device
  await change(context, device, {}, async (act) => {
    // The limit keeps made-up tokens from filling the audit log.
    if (!(await tryConsume(act, 'invalidToken', { ip }))) return
    act.audit('log-in', { result: 'invalid-token', details: { method: 'link' } })
  })
  throw new DomainError('invalid', 'Invalid token')
}
