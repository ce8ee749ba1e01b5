import { type Act, change } from '../sessions/change.ts'
import { type Attempt, attemptLogIn } from '../limits/attempts.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import type { Device } from '../users/access.ts'
import { findCredentials, lockUser, type User } from '../users/queries.ts'
import { completeLogIn } from './complete-log-in.ts'
import { passwordLogInOff } from './password-log-in.ts'
import { renewHash } from './renewed-hash.ts'
import { beginSecondStep } from './second-step.ts'

/**
 * Starts a session. Handles an unknown address like a wrong password, so that the responses do not differ in text or
 * time.
 * @returns an access token, or the second step that the account needs
 * @throws DomainError `invalid` for a wrong password, an unknown address or an inactive account; `too-many`; `busy`
 */
export async function logIn(context: Context, device: Device, address: string, password: string) {
  const { config, hashing, store } = context
  const { ip } = device
  const key = emailKey(address)
  const outcome = await attemptLogIn(context, key, ip, async (attempt) => {
    const found = await findCredentials(store.db, { emailKey: key })
    const check = await hashing.check(password, found?.passwordHash, hashGroup(ip), () => attempt.reserve())
    const facts = { key, subjectId: found?.user.id, device }
    if (!config.passwordLogIn) return refuse(context, attempt, facts, 'passwords-off')
    if (found?.passwordHash === undefined || check === 'wrong') return refuse(context, attempt, facts)
    const { user, passwordHash } = found
    const held =
      check === 'outdated'
        ? await renewHash(context, device, { id: user.id, password, before: passwordHash })
        : passwordHash
    return held === undefined ? refuse(context, attempt, facts) : admit(context, attempt, user, held, device)
  })
  if (outcome === 'incorrect' && !config.passwordLogIn) throw passwordLogInOff(context)
  if (outcome === 'incorrect') throw new DomainError('invalid', 'Incorrect email or password')
  if (outcome === 'inactive') throw new DomainError('invalid', 'Inactive user')
  return outcome
}

async function refuse(
  context: Context,
  attempt: Attempt,
  { key, subjectId, device }: { key: string; subjectId: string | undefined; device: Device },
  result: 'wrong-password' | 'passwords-off' = 'wrong-password',
): Promise<'incorrect'> {
  await change(context, device, {}, async (act) => {
    act.audit('log-in', { result, subjectId })
    await attempt.commit(act.tx, 'wrong')
    // The audit log counts attempts of an account. Attempts with an unknown address count, too, to take the same time.
    if (subjectId === undefined) await consume(act, 'audit', { user: key, kind: 'log-in' })
  })
  return 'incorrect'
}

async function admit(context: Context, attempt: Attempt, user: User, passwordHash: string, device: Device) {
  return change(context, device, {}, async (act) => {
    // The password or the account may have changed while the hash was computed.
    const current = await lockUser(act.tx, user.id, { passwordHash })
    const outcome = current?.is_active ? await enter(act, current, passwordHash, device) : undefined
    if (!outcome) {
      const result = current ? 'inactive' : 'wrong-password'
      act.audit('log-in', { result, actorId: current?.id, subjectId: user.id })
    }
    await attempt.commit(act.tx, 'right')
    return outcome ?? (current ? 'inactive' : 'incorrect')
  })
}

async function enter(act: Act, user: User, passwordHash: string, device: Device) {
  const secondStep = await beginSecondStep(act, user, passwordHash)
  return secondStep ? { secondStep } : { token: await completeLogIn(act, user, 'password', device) }
}
