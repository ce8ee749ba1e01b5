import { recordAudit } from '../audit/record.ts'
import { attemptOwnPassword } from '../limits/attempts.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError, sessionOver } from '../platform/errors.ts'
import type { PasswordCheck } from '../platform/hashing.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { changeOwn, renewSession } from '../sessions/rules.ts'
import type { AuthenticationMethod } from '../tables.ts'
import type { SessionActor } from '../users/access.ts'
import { findCredentials, updateUser } from '../users/queries.ts'
import { verifyOwnPasskey } from './passkeys.ts'
import { passwordsOff } from './password-log-in.ts'
import {
  claimCode,
  incorrectCode,
  noticeWrongCode,
  refusePasswordBesideFactor,
  requireAppCode,
} from './second-factor.ts'
import type { Authentication } from './webauthn.ts'

// Showing again, in a session, to be the owner of its account, which makes the session fresh.

/**
 * @throws DomainError `invalid` for a wrong password, and where a factor is set up that the log-in needs; `too-many` after
 * too many wrong ones; `busy`; `unauthenticated`
 */
export async function reauthenticateByPassword(context: Context, actor: SessionActor, password: string): Promise<void> {
  const { user } = actor
  const credentials = await findCredentials(context.store.db, { id: user.id })
  if (!credentials) throw sessionOver()
  const { passwordHash } = credentials
  if (context.config.passwordLogIn) await refusePasswordBesideFactor(context, context.store.db, user)
  const check = await checkOwnPassword(context, actor, password, { passwordHash, action: 'confirm' })
  // Without a password, none was right.
  if (passwordHash === undefined) return
  const renewed = check === 'outdated' ? await context.hashing.hash(password, hashGroup(actor.ip)) : undefined
  await changeOwn(
    context,
    actor,
    async (tx) => {
      await refusePasswordBesideFactor(context, tx, user)
      await renew(context, tx, actor, 'password')
      if (renewed !== undefined) await updateUser(tx, user.id, { password_hash: renewed })
    },
    { passwordHash },
  )
}

/** Guesses count like those of the own password. @throws DomainError `invalid`, `too-many` */
export async function reauthenticateByCode(context: Context, actor: SessionActor, code: string): Promise<void> {
  const { user, ip } = actor
  const isRight = await attemptOwnPassword(context, actor, async (attempt) => {
    const appCode = requireAppCode(code)
    await attempt.reserve()
    return changeOwn(context, actor, async (tx) => {
      const matches = await claimCode(context, tx, user.id, appCode)
      if (matches) await renew(context, tx, actor, 'totp')
      else {
        await recordAudit(context, tx, { action: 'confirm', result: 'wrong-code', actorId: user.id, ip })
        await noticeWrongCode(context, tx, user, ip)
      }
      await attempt.commit(tx, matches ? 'right' : 'wrong')
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
  await changeOwn(context, actor, async (tx) => {
    await recordUse(tx)
    await renew(context, tx, actor, 'passkey')
  })
}

async function renew(
  context: Context,
  tx: Tx,
  { user, sessionId, ip }: SessionActor,
  method: AuthenticationMethod,
): Promise<void> {
  await renewSession(context, tx, sessionId, method)
  const details = method === 'password' ? undefined : { method }
  await recordAudit(context, tx, { action: 'confirm', actorId: user.id, ip, details })
}

/** @throws DomainError `invalid` for a wrong password, `too-many` after too many wrong ones, `busy` */
export async function checkOwnPassword(
  context: Context,
  actor: SessionActor,
  password: string,
  { passwordHash, action }: { passwordHash: string | undefined; action: 'password-change' | 'confirm' },
): Promise<Exclude<PasswordCheck, 'wrong'>> {
  const { user, ip } = actor
  const check = await attemptOwnPassword(context, actor, async (attempt) => {
    const found = await context.hashing.check(password, passwordHash, hashGroup(ip), () => attempt.reserve())
    const isWrong = found === 'wrong'
    await context.store.transaction(async (tx) => {
      await attempt.commit(tx, isWrong ? 'wrong' : 'right')
      if (isWrong) await recordAudit(context, tx, { action, result: 'wrong-password', actorId: user.id, ip })
    })
    return found
  })
  if (action === 'confirm' && !context.config.passwordLogIn) throw passwordsOff(context)
  if (check === 'wrong') throw new DomainError('invalid', 'Incorrect password')
  return check
}
