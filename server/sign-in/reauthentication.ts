import { type Act, change } from '../sessions/change.ts'
import { attemptOwnPassword } from '../limits/attempts.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, sessionEnded } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { renewSession } from '../sessions/rules.ts'
import type { AuthenticationMethod } from '../tables.ts'
import type { SessionActor } from '../users/access.ts'
import { findCredentials } from '../users/queries.ts'
import { verifyOwnPasskey } from './passkeys.ts'
import { passwordLogInOff } from './password-log-in.ts'
import { renewHash } from './renewed-hash.ts'
import {
  claimCode,
  incorrectCode,
  noticeWrongCode,
  refusePasswordBesideFactor,
  requireAppCode,
} from './second-factor.ts'
import { findApp } from './second-factor-queries.ts'
import type { Authentication } from './webauthn.ts'

// A person proves again to be the owner of the account, which counts as a recent log-in of the session.

/**
 * @throws DomainError `invalid` for a wrong password, or if a log-in of this account also needs a second factor;
 * `too-many` after too many wrong passwords; `busy`; `unauthenticated`
 */
export async function reauthenticateByPassword(context: Context, actor: SessionActor, password: string): Promise<void> {
  const { user } = actor
  const credentials = await findCredentials(context.store.db, { id: user.id })
  if (!credentials) throw sessionEnded()
  if (context.config.passwordLogIn) await refusePasswordBesideFactor(context, user)
  const given = { passwordHash: credentials.passwordHash, action: 'confirm' } as const
  const passwordHash = await checkOwnPassword(context, actor, password, given)
  await change(context, actor, { lock: 'own-account', passwordHash }, async (act) => {
    await refusePasswordBesideFactor(act, user)
    await renew(act, 'password')
  })
}

/** Wrong codes count together with wrong passwords. @throws DomainError `invalid`, `too-many` */
export async function reauthenticateByCode(context: Context, actor: SessionActor, code: string): Promise<void> {
  const { user } = actor
  const isRight = await attemptOwnPassword(context, actor, async (attempt) => {
    const appCode = requireAppCode(code)
    await attempt.reserve()
    return change(context, actor, { lock: 'own-account' }, async (act) => {
      const matches = await claimCode(act, user.id, await findApp(act.tx, user.id), appCode)
      if (matches) await renew(act, 'totp')
      else {
        act.audit('confirm', { result: 'wrong-code' })
        await noticeWrongCode(act, user)
      }
      await attempt.commit(act.tx, matches ? 'right' : 'wrong')
      return matches
    })
  })
  if (!isRight) throw incorrectCode()
}

/** @throws DomainError `invalid` */
export async function reauthenticateByPasskey(
  context: Context,
  actor: SessionActor,
  ceremony: string,
  credential: Authentication,
): Promise<void> {
  const recordUse = await verifyOwnPasskey(context, actor, ceremony, credential)
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    await recordUse(act.tx)
    await renew(act, 'passkey')
  })
}

async function renew(act: Act<SessionActor>, method: AuthenticationMethod): Promise<void> {
  await renewSession(act, method)
  const details = method === 'password' ? undefined : { method }
  act.audit('confirm', { details })
}

/**
 * @returns the hash that the account has now, which is new if `passwordHash` was outdated
 * @throws DomainError `invalid` for a wrong password, `too-many` after too many wrong ones, `busy`
 */
export async function checkOwnPassword(
  context: Context,
  actor: SessionActor,
  password: string,
  { passwordHash, action }: { passwordHash: string | undefined; action: 'password-change' | 'confirm' },
): Promise<string> {
  const { user, ip } = actor
  const check = await attemptOwnPassword(context, actor, async (attempt) => {
    const found = await context.hashing.check(password, passwordHash, hashGroup(ip), () => attempt.reserve())
    const isWrong = found === 'wrong'
    // A wrong guess counts even if the session has ended meanwhile.
    await change(context, { ip }, {}, async (act) => {
      await attempt.commit(act.tx, isWrong ? 'wrong' : 'right')
      if (isWrong) act.audit(action, { result: 'wrong-password', actorId: user.id })
    })
    return found
  })
  if (action === 'confirm' && !context.config.passwordLogIn) throw passwordLogInOff(context)
  // No password is right if the account has none.
  if (check === 'wrong' || passwordHash === undefined) return refuse()
  if (check === 'right') return passwordHash
  return (await renewHash(context, actor, { id: user.id, password, before: passwordHash })) ?? refuse()
}

function refuse(): never {
  throw new DomainError('invalid', 'Incorrect password')
}
