import { type Act, change } from '../sessions/change.ts'
import {
  addAccount,
  deleteAccounts,
  setAddress,
  setPassword,
  setProfile,
  setRole,
  setStatus,
} from '../accounts/changes.ts'
import { endApiToken, listApiTokensOf } from '../api-tokens/rules.ts'
import type { UserCreate, UserInvite, UserUpdate } from '../contract/types.gen.ts'
import { invite, type Invited, resendInvitation } from '../accounts/invitations.ts'
import { recovery } from '../accounts/recovery.ts'
import { exportRows, type ExportTarget } from '../lists/exports.ts'
import { passwordLogInOff } from '../sign-in/password-log-in.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Page, PageOf } from '../platform/database/lists.ts'
import { DomainError } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { type Precondition, requirePrecondition } from '../platform/precondition.ts'
import { describeIdentities, removeIdentity } from '../sign-in/identities.ts'
import { issueChallenge } from '../sign-in/challenges.ts'
import { deleteFactors } from '../sign-in/second-factor-queries.ts'
import { describeFactors } from '../sign-in/second-factor.ts'
import { requireRecentLogIn } from '../sessions/checks.ts'
import { type ApiToken, deleteSessionsOf, type Session } from '../sessions/queries.ts'
import { endTokensOf, listSessionsOf } from '../sessions/rules.ts'
import { type Access, type AccountActor, type Actor, refuseDeletionOfOneself, requireAccess } from '../users/access.ts'
import {
  findUser,
  hasOtherActiveSuperuser,
  listUsers,
  lockUser,
  streamUsers,
  type User,
  type UsersRequest,
  versionOfUser,
} from '../users/queries.ts'
import { accountCreated } from './mails.ts'

const ROWS_AT_ONCE = 500

/** @throws DomainError `forbidden`, `busy` */
export async function listAccounts(
  context: Context,
  actor: AccountActor,
  given: UsersRequest,
  page: Page,
  signal?: AbortSignal,
): Promise<PageOf<User>> {
  requireAccess(actor, 'superuser')
  const read = (db: Db) => listUsers(db, given, context.now(), page)
  return context.reads.page(actor.user.id, [given, page], read, signal)
}

export async function exportAccounts(
  context: Context,
  actor: AccountActor,
  given: UsersRequest,
  target: ExportTarget<User>,
): Promise<void> {
  requireAccess(actor, 'superuser')
  const read = (db: Db) => streamUsers(db, given, context.now(), ROWS_AT_ONCE)
  await exportRows(context, actor, 'users-export', read, target)
}

/** @throws DomainError `forbidden`, `not-found` */
export async function readAccount(context: Context, actor: Actor, id: string): Promise<User> {
  return requireAccount(context, actor, id, 'self-or-superuser')
}

/**
 * Creates an account and mails its owner a link to set a password. If log-in with passwords is off, the mail is an
 * invitation, which the first log-in with a company account accepts.
 * @throws DomainError `conflict`, `weak-password`, `too-many`, `busy`
 */
export async function createAccount(context: Context, actor: Actor, given: UserCreate): Promise<User> {
  requireAccess(actor, 'superuser')
  const { password, ...facts } = given
  requireGoodPassword(context, password, facts, 'password')
  const { ip } = actor
  const passwordHash = context.config.passwordLogIn ? await context.hashing.hash(password, hashGroup(ip)) : null
  return change(context, actor, { lock: 'accounts' }, async (act) => {
    const user = await addAccount(act, facts, passwordHash)
    await consume(act, 'invitation', { email: emailKey(facts.email) })
    await queueMail(act, accountCreated, facts.email, ip)
    act.audit('account-create', { subjectId: user.id })
    // Without a mail server, the mail is only written to a file.
    const result = act.config.mail.smtpUrl === undefined ? 'no-mail-server' : 'done'
    act.audit('welcome-mail', { result, subjectId: user.id })
    return user
  })
}

/** @throws DomainError `conflict` when the address is taken; `too-many` */
export async function inviteAccount(context: Context, actor: Actor, facts: UserInvite): Promise<Invited> {
  return change(context, actor, { lock: 'accounts' }, (act) => invite(act, facts))
}

/**
 * To invite a superuser, the actor needs a recent log-in, because the link gives access to the account.
 * @throws DomainError `not-found`; `not-fresh`; `conflict` if the account has a password or is inactive; `too-many`
 */
export async function inviteAccountAgain(context: Context, actor: AccountActor, id: string): Promise<Invited> {
  return changeAccount(context, actor, id, async (act, user) => {
    if (user.is_superuser) requireRecentLogIn(act, actor)
    return resendInvitation(act, user)
  })
}

/**
 * To activate a superuser, the actor needs a recent log-in.
 * @throws DomainError `not-fresh`, `not-found`, `conflict`, `precondition-failed`, `weak-password`, `busy`
 */
export async function updateAccount(
  context: Context,
  actor: Actor,
  id: string,
  given: UserUpdate,
  precondition: Precondition,
): Promise<User> {
  const found = await requireAccount(context, actor, id)
  const { password, end_tokens: endTokens = false, ...rest } = given
  if (password !== undefined) requireGoodPassword(context, password, { ...found, ...rest }, 'password')
  const hash = password === undefined ? undefined : await context.hashing.hash(password, hashGroup(actor.ip))
  return changeAccount(context, actor, id, async (act, before) => {
    const { email, is_active = before.is_active, is_superuser = before.is_superuser, ...profile } = rest
    if (before.is_superuser && !before.is_active && is_active) requireRecentLogIn(act, actor)
    requirePrecondition(versionOfUser(before), precondition)
    if (!is_active || !is_superuser) await requireAnotherSuperuser(act.tx, before)
    const named = await setProfile(act, before, profile)
    const user = email === undefined ? named : await setAddress(act, named, email)
    // A deactivation removes more factors than a new password does, so it comes first.
    if (is_active !== before.is_active) await setStatus(act, [user], is_active)
    if (hash !== undefined) await setPassword(act, user, { hash, endTokens })
    if (is_superuser !== before.is_superuser) await setRole(act, [user], is_superuser)
    return (await findUser(act.tx, id)) ?? notFound()
  })
}

/**
 * Mails the owner of an account a link to choose a new password. Without a mail server, the mail is only written to a
 * file, and the superuser gets a second link to hand over, which needs a recent log-in.
 * @returns the token to hand over if there is no mail server
 * @throws DomainError `not-fresh`; `not-found`; `conflict` for an account that is inactive or has no password yet, and
 * if log-in with passwords is off; `too-many`
 */
export async function sendPasswordReset(context: Context, caller: Actor, id: string): Promise<string | undefined> {
  const { mail, passwordLogIn } = context.config
  const hasMail = mail.smtpUrl !== undefined
  const actor = hasMail ? caller : requireRecentLogIn(context, caller)
  return change(context, actor, { lock: 'accounts' }, async (act) => {
    if (!passwordLogIn) throw passwordLogInOff(act, 'conflict')
    const user = (await lockUser(act.tx, id)) ?? notFound()
    if (!user.is_active) throw new DomainError('conflict', 'This user is inactive')
    if (user.is_invited) throw new DomainError('conflict', 'This user has not set a password yet')
    const address = emailKey(user.email)
    await consume(act, 'sentReset', { email: address })
    await queueMail(act, recovery, address, actor.ip)
    act.audit('reset-send', { subjectId: id, details: hasMail ? undefined : { method: 'handed-over' } })
    return hasMail ? undefined : issueChallenge(act, 'password-reset-link', id, null)
  })
}

/** @throws DomainError `forbidden`, `not-found` */
export async function listAccountSessions(context: Context, actor: Actor, id: string): Promise<PageOf<Session>> {
  await requireAccount(context, actor, id)
  return listSessionsOf(context, id)
}

/** Ends all sessions of an account, for the own account also the current one. @throws DomainError `not-found` */
export async function endAccountSessions(context: Context, actor: Actor, id: string, endTokens = false) {
  return changeAccount(context, actor, id, async (act) => {
    const details = endTokens ? await endTokensOf(act, id) : undefined
    act.audit('sessions-end', { subjectId: id, details })
    return deleteSessionsOf(act.tx, [id])
  })
}

/** @throws DomainError `forbidden`, `not-found` */
export async function listAccountTokens(context: Context, actor: Actor, id: string): Promise<ApiToken[]> {
  await requireAccount(context, actor, id)
  return listApiTokensOf(context, id)
}

/** @throws DomainError `not-found` */
export async function endAccountToken(context: Context, actor: Actor, id: string, tokenId: string): Promise<void> {
  await changeAccount(context, actor, id, (act) => endApiToken(act, id, tokenId))
}

/** @returns the number of ended API tokens @throws DomainError `not-found` */
export async function endAccountTokens(context: Context, actor: Actor, id: string): Promise<number> {
  const tokens = (await listAccountTokens(context, actor, id)).filter(({ expires_at }) => expires_at > context.now())
  for (const token of tokens) await endAccountToken(context, actor, id, token.id)
  return tokens.length
}

/** @throws DomainError `forbidden`, `not-found` */
export async function readAccountFactors(context: Context, actor: Actor, id: string) {
  return describeFactors(context, await requireAccount(context, actor, id))
}

/** @throws DomainError `forbidden`, `not-found` */
export async function readAccountIdentities(context: Context, actor: Actor, id: string) {
  await requireAccount(context, actor, id)
  return describeIdentities(context, id)
}

/**
 * Disconnects a company account, even if it is the last way to log in: the owner can recover the password.
 * @throws DomainError `not-found`; `conflict` for the own account
 */
export async function removeAccountIdentity(context: Context, actor: Actor, userId: string, id: string): Promise<void> {
  if (userId === actor.user?.id) throw new DomainError('conflict', 'Use your own security page')
  await changeAccount(context, actor, userId, (act, user) => removeIdentity(act, user, id))
}

/** @throws DomainError `not-found`; `conflict` for the own account */
export async function resetSecondFactor(context: Context, actor: Actor, id: string): Promise<void> {
  if (id === actor.user?.id) throw new DomainError('conflict', 'Use your own security page')
  await changeAccount(context, actor, id, async (act, user) => {
    await deleteSessionsOf(act.tx, [id])
    await deleteFactors(act.tx, [id])
    act.audit('second-factor-reset', { subjectId: id })
    await act.notify('second-factor-reset', user.email)
  })
}

/** @throws DomainError `not-found`; `conflict` for the own account or the last superuser; `precondition-failed` */
export async function deleteOtherAccount(context: Context, actor: Actor, id: string, precondition: Precondition) {
  requireAccess(actor, 'superuser')
  refuseDeletionOfOneself(actor, id)
  await changeAccount(context, actor, id, async (act, before) => {
    requirePrecondition(versionOfUser(before), precondition)
    await requireAnotherSuperuser(act.tx, before)
    await deleteAccounts(act, [id])
  })
}

/** @throws DomainError `forbidden`, `not-found` */
async function requireAccount({ store }: Context, actor: Actor, id: string, access: Access = 'superuser') {
  requireAccess(actor, access, id)
  return (await findUser(store.db, id)) ?? notFound()
}

/** @param work gets the locked account @throws DomainError `not-found` */
async function changeAccount<T>(
  context: Context,
  actor: Actor,
  id: string,
  work: (act: Act, user: User) => Promise<T>,
): Promise<T> {
  return change(context, actor, { lock: 'accounts' }, async (act) =>
    work(act, (await lockUser(act.tx, id)) ?? notFound()),
  )
}

/** @throws DomainError `conflict` for the last active superuser */
async function requireAnotherSuperuser(tx: Tx, { id, is_active, is_superuser, is_invited }: User): Promise<void> {
  if (!is_active || !is_superuser || is_invited) return
  if (!(await hasOtherActiveSuperuser(tx, id)))
    throw new DomainError('conflict', 'The last active superuser cannot be deleted, demoted or deactivated')
}

function notFound(): never {
  throw new DomainError('not-found', 'User not found')
}
