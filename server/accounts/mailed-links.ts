import { recordAudit } from '../audit/record.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { tryConsume } from '../limits/rules.ts'
import { passwordsOff } from '../sign-in/password-log-in.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailContent } from '../platform/mail/email-template.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { find, redeem, RESETS } from '../sign-in/challenges.ts'
import type { ChallengePurpose } from '../tables.ts'
import type { Origin } from '../users/access.ts'
import { findCredentials, findUser, lockUser, type User } from '../users/queries.ts'
import { changeAccount } from './changes.ts'
import type { Removed } from './unconfirmed.ts'

// Links that set a password, each once and without a session.

interface Given {
  token: string
  password: string
  full_name?: string | null
  end_tokens?: boolean
}

/** With the key of the input that holds the password. */
const links = {
  reset: { purposes: RESETS, action: 'password-reset', field: 'new_password' },
  invitation: { purposes: ['invitation', 'invitation-link'], action: 'invitation-accept', field: 'password' },
} as const

/** Only these show who has the mailbox. */
const mailed = new Set<ChallengePurpose>(['password-reset', 'invitation'])

/**
 * Writes a mail with a token right before it is sent. The account is locked, so that its address cannot change at the same
 * time.
 * @param write returns `undefined` if the mail is no longer needed
 */
export async function writeToOwner(
  { store }: Context,
  address: string,
  write: (tx: Tx, user: User) => Promise<MailContent | undefined>,
): ReturnType<MailType['compose']> {
  const key = emailKey(address)
  const found = await findCredentials(store.db, { emailKey: key })
  if (!found) return undefined
  return store.transaction(async (tx) => {
    const user = await lockUser(tx, found.user.id, { emailKey: key })
    const content = user && (await write(tx, user))
    return content && { to: user.email, content }
  })
}

/**
 * Consumes the token of a mailed link, sets the password and, if given, the name, and ends all sessions and, if wanted,
 * API tokens, in one transaction. Removes the factors of an account whose address was not confirmed.
 * @returns what was removed
 * @throws DomainError `invalid` for any invalid token, without the reason; `weak-password`; `busy`
 */
export async function setPasswordByToken(
  context: Context,
  { ip }: Origin,
  link: keyof typeof links,
  given: Given,
): Promise<Removed | undefined> {
  const { config, hashing, store } = context
  const { purposes, action, field } = links[link]
  const { token, password, end_tokens: endTokens = false, ...others } = given
  const { userId } = (await find(context, store.db, purposes, token)) ?? {}
  const owner = userId ? await findUser(store.db, userId) : undefined
  if (owner?.is_active) {
    requireGoodPassword(context, password, { ...owner, ...others }, field)
    const passwordHash = await hashing.hash(password, hashGroup(ip))
    const changed = await store.transaction(async (tx) => {
      const before = config.passwordLogIn ? await lockUser(tx, owner.id) : undefined
      const used = before?.is_active && (await redeem(context, tx, purposes, token))
      if (!used) return undefined
      const isMailed = mailed.has(used.purpose)
      const by = { actorId: undefined, ip, passwordAction: action, isMailed, endTokens }
      const done = await changeAccount(context, tx, before, { ...others, password_hash: passwordHash }, by)
      // The mail proves the identity, so guesses from other networks must not lock out this one.
      await rememberNetwork(context, tx, before.id, ip)
      return done
    })
    if (changed) return changed.removed
  }
  await store.transaction(async (tx) => {
    // Made-up tokens cannot fill the audit log.
    if (!(await tryConsume(context, tx, 'invalidToken', { ip }))) return
    await recordAudit(context, tx, { action, result: 'invalid-token', ip })
  })
  if (link === 'invitation' && !config.passwordLogIn) throw passwordsOff(context)
  throw new DomainError('invalid', 'Invalid token')
}
