import { change } from '../sessions/change.ts'
import type { UserRegister, UserUpdateMe } from '../contract/types.gen.ts'
import { consume } from '../limits/rules.ts'
import { passwordLogInOff } from '../sign-in/password-log-in.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, sessionEnded } from '../platform/errors.ts'
import { isSameMailbox } from '../platform/lib/email-address.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { passwordForm } from '../platform/lib/password-form.ts'
import { type Precondition, requirePrecondition } from '../platform/precondition.ts'
import { requireRecentLogIn } from '../sessions/checks.ts'
import { checkOwnPassword } from '../sign-in/reauthentication.ts'
import { type Origin, refuseDeletionOfOneself, type SessionActor } from '../users/access.ts'
import { findCredentials, type User, versionOfUser } from '../users/queries.ts'
import { mailLink, requestAddress } from './email-confirmation.ts'
import { addAccount, deleteAccounts, setAddress, setPassword, setProfile } from './changes.ts'

/** @throws DomainError `conflict` */
export function requireOpenSignUp(context: Context): void {
  const { config } = context
  if (!config.passwordLogIn) throw passwordLogInOff(context, 'conflict')
  if (config.signUp === 'closed') throw new DomainError('conflict', 'Sign-up is closed')
}

/** Creates an active regular account. @throws DomainError `conflict`, `weak-password`, `too-many`, `busy` */
export async function signUp(context: Context, origin: Origin, { password, ...facts }: UserRegister): Promise<User> {
  requireOpenSignUp(context)
  requireGoodPassword(context, password, facts, 'password')
  const { ip } = origin
  await consume(context, 'signUp', { ip })
  const passwordHash = await context.hashing.hash(password, hashGroup(ip))
  return change(context, origin, {}, async (act) => {
    const user = await addAccount(act, facts, passwordHash)
    act.audit('sign-up', { actorId: user.id })
    if (act.config.confirmEmail) await mailLink(act, user)
    return user
  })
}

/**
 * A new address needs a recent log-in. With `confirmEmail`, it is pending until a mailed link confirms it. Without
 * `confirmEmail` and `passwordLogIn` it is refused, because its true owner could not take it back by a mailed link.
 * @throws DomainError `not-fresh`, `conflict`, `precondition-failed`, `too-many`
 */
export async function updateOwnAccount(
  context: Context,
  caller: SessionActor,
  changes: UserUpdateMe,
  precondition: Precondition,
): Promise<User> {
  const { user } = caller
  const isNewAddress = ({ email }: User) => changes.email !== undefined && !isSameMailbox(changes.email, email)
  const { confirmEmail, passwordLogIn } = context.config
  const requireChangeable = (before: User): void => {
    if (isNewAddress(before) && !confirmEmail && !passwordLogIn)
      throw new DomainError('conflict', 'Only an administrator changes addresses here')
  }
  requireChangeable(user)
  const actor = isNewAddress(user) ? requireRecentLogIn(context, caller) : caller
  await consume(context, 'accountChange', { user: user.id })
  if (isNewAddress(user)) await consume(context, 'addressChange', { user: user.id })
  return change(context, actor, { lock: 'own-account' }, async (act) => {
    const before = act.actor.user
    // Another request may have changed the address meanwhile.
    requireChangeable(before)
    if (isNewAddress(before)) requireRecentLogIn(act, caller)
    requirePrecondition(versionOfUser(before), precondition)
    const { email, ...profile } = changes
    const after = await setProfile(act, before, profile)
    if (email === undefined) return after
    return confirmEmail && isNewAddress(before) ? requestAddress(act, after, email) : setAddress(act, after, email)
  })
}

/**
 * @param current the current password; an account without a password needs a recent log-in instead
 * @throws DomainError `required`, `not-fresh`, `invalid`, `weak-password`, `too-many`, `busy`
 */
export async function changeOwnPassword(
  context: Context,
  caller: SessionActor,
  current: string | undefined,
  wanted: string,
  endTokens = false,
): Promise<void> {
  const { user, sessionId, ip } = caller
  const credentials = await findCredentials(context.store.db, { id: user.id })
  if (!credentials) throw sessionEnded()
  let { passwordHash } = credentials
  const actor = passwordHash === undefined ? requireRecentLogIn(context, caller) : caller
  if (passwordHash !== undefined) {
    if (current === undefined) throw new DomainError('required', 'Field required', { field: 'current_password' })
    passwordHash = await checkOwnPassword(context, actor, current, { passwordHash, action: 'password-change' })
    if (passwordForm(wanted) === passwordForm(current))
      throw new DomainError('invalid', 'New password cannot be the same as the current one')
  }
  requireGoodPassword(context, wanted, user, 'new_password')

  const hash = await context.hashing.hash(wanted, hashGroup(ip))
  await change(context, actor, { lock: 'own-account', passwordHash: passwordHash ?? '' }, (act) =>
    setPassword(act, act.actor.user, { hash, keepSession: sessionId, endTokens }),
  )
}

/** @throws DomainError `not-fresh`; `conflict` for a superuser; `precondition-failed` */
export async function deleteOwnAccount(context: Context, actor: SessionActor, precondition: Precondition) {
  const { user } = actor
  refuseDeletionOfOneself(actor, user.id)
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    requirePrecondition(versionOfUser(act.actor.user), precondition)
    await deleteAccounts(act, [user.id])
  })
}
