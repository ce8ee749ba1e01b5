import { recordAudit } from '../audit/record.ts'
import { attemptOwnPassword } from '../limits/attempts.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, sessionOver } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { renewProof } from '../sessions/rules.ts'
import type { SessionActor } from '../users/access.ts'
import { findCredentials, lockUser } from '../users/queries.ts'
import { refusePasswordBesideFactor } from './second-factor.ts'

/** @throws DomainError `invalid` for a wrong password, `too-many` after too many wrong ones, `busy` */
export async function verifyOwnPassword(
  context: Context,
  actor: SessionActor,
  password: string,
  { passwordHash, action }: { passwordHash: string; action: 'password-change' | 'confirm' },
): Promise<void> {
  const { user, ip } = actor
  const isRight = await attemptOwnPassword(context, actor, async (attempt) => {
    const matches = await context.hashing.matches(password, passwordHash, hashGroup(ip), () => attempt.reserve())
    await context.store.transaction(async (tx) => {
      await attempt.commit(tx, matches ? 'right' : 'wrong')
      if (!matches) await recordAudit(context, tx, { action, result: 'wrong-password', actorId: user.id, ip })
    })
    return matches
  })
  if (!isRight) throw new DomainError('invalid', 'Incorrect password')
}

/**
 * Proves again, in a session, to be the owner of its account.
 * @throws DomainError `invalid` for a wrong password, and where a factor is set up that the log-in needs; `too-many` after too many
 * wrong ones; `busy`; `unauthenticated`
 */
export async function confirmByPassword(context: Context, actor: SessionActor, password: string): Promise<void> {
  const { user, ip } = actor
  const { passwordHash } = (await findCredentials(context.store.db, { id: user.id })) ?? {}
  if (passwordHash === undefined) throw sessionOver()
  await refusePasswordBesideFactor(context, context.store.db, user)
  await verifyOwnPassword(context, actor, password, { passwordHash, action: 'confirm' })
  await context.store.transaction(async (tx) => {
    // The password was changed in the meantime.
    if (!(await lockUser(tx, user.id, { passwordHash }))) throw new DomainError('invalid', 'Incorrect password')
    await refusePasswordBesideFactor(context, tx, user)
    await renewProof(context, tx, actor, { userId: user.id, method: 'password' })
    await recordAudit(context, tx, { action: 'confirm', actorId: user.id, ip })
  })
}
