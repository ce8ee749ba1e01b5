import { type Act, change } from '../sessions/change.ts'
import { addAccount } from '../accounts/changes.ts'
import { updateAccount } from '../administration/rules.ts'
import type { UserInvite } from '../contract/types.gen.ts'
import { invite, type Invited, resendInvitation } from '../accounts/invitations.ts'
import { forgiveAttempts } from '../limits/attempts.ts'
import { issueLogInLink } from '../sign-in/log-in-link.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, normalizeAddress } from '../platform/lib/email-address.ts'
import { newToken } from '../platform/lib/secret-token.ts'
import { OPERATOR, SERVER } from '../users/access.ts'
import { findCredentials, hasUsers, lockUser, type User } from '../users/queries.ts'

/**
 * Creates the first superuser of an empty database, once even if several servers start on it.
 * @param password generated if absent
 * @returns what to print for the operator; `undefined` when the database has accounts
 * @throws DomainError `weak-password`
 */
export async function ensureFirstSuperuser(context: Context, email: string, password: string | undefined) {
  const { hashing, store } = context
  if (await hasUsers(store.db)) return undefined
  if (password !== undefined) requireGoodPassword(context, password, { email }, 'password')
  const generatedPassword = password === undefined ? newPassword() : undefined
  const passwordHash = await hashing.hash(password ?? generatedPassword ?? '', SERVER)
  const made = await change(context, OPERATOR, { lock: 'accounts' }, async (act) =>
    (await hasUsers(act.tx)) ? undefined : addSuperuser(act, email, passwordHash),
  )
  return made && { email: made.email, generatedPassword }
}

/** @throws DomainError `conflict` when the address is taken; `weak-password` */
export async function createSuperuser(context: Context, email: string, password: string): Promise<User> {
  requireGoodPassword(context, password, { email }, 'password')
  const passwordHash = await context.hashing.hash(password, SERVER)
  return change(context, OPERATOR, {}, (act) => addSuperuser(act, email, passwordHash))
}

async function addSuperuser(act: Act, email: string, passwordHash: string): Promise<User> {
  const facts = { email: normalizeAddress(email), is_superuser: true }
  const user = await addAccount(act, facts, passwordHash)
  act.audit('account-create', { subjectId: user.id })
  return user
}

/**
 * Invites a user. A user who is already invited gets another link and keeps name and role.
 * @returns the user, and the token to hand over if there is no mail server
 * @throws DomainError `conflict` for an existing account that is not invited; `too-many`
 */
export async function inviteAsOperator(context: Context, facts: UserInvite): Promise<Invited> {
  const email = normalizeAddress(facts.email)
  return change(context, OPERATOR, { lock: 'accounts' }, async (act) => {
    const found = await findCredentials(act.tx, { emailKey: emailKey(email) })
    const user = found && (await lockUser(act.tx, found.user.id))
    return user ? resendInvitation(act, user) : invite(act, { ...facts, email })
  })
}

/**
 * Sets a password. Ends all sessions of the account and its waits after wrong passwords and codes, and mails its owner.
 * @throws DomainError `not-found`, `weak-password`
 */
export async function setPassword(context: Context, address: string, password: string): Promise<void> {
  const user = await findByAddress(context, address)
  await updateAccount(context, OPERATOR, user.id, { password }, undefined)
  await forgiveAttempts(context, user)
}

/** @returns the token of a link that logs in once @throws DomainError `not-found`, `conflict` */
export async function makeLogInLink(context: Context, address: string): Promise<string> {
  return issueLogInLink(context, OPERATOR, (await findByAddress(context, address)).id)
}

/** @throws DomainError `not-found` */
export async function findByAddress({ store }: Context, address: string): Promise<User> {
  const found = await findCredentials(store.db, { emailKey: emailKey(address) })
  if (!found) throw new DomainError('not-found', 'User not found')
  return found.user
}

/** A password to read from a screen and type: 132 random bits (ASVS 11.5.1 requires 128). */
export function newPassword(): string {
  return newToken().slice(0, 22)
}
