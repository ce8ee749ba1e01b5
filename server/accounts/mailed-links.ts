import type { QueuedMail } from '../platform/mail/outbox.ts'
import { type Act, change } from '../sessions/change.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { tryConsume } from '../limits/rules.ts'
import { passwordLogInOff } from '../sign-in/password-log-in.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import type { AcceptInvitation, NewPassword } from '../contract/types.gen.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import type { MailContent } from '../platform/mail/email-template.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { readChallenge, redeemChallenge, RESET_PURPOSES } from '../sign-in/challenges.ts'
import type { ChallengePurpose } from '../tables.ts'
import type { Origin } from '../users/access.ts'
import { findCredentials, findUser, lockUser, type User } from '../users/queries.ts'
import { setPassword, setProfile } from './changes.ts'

// The links of resets and invitations set a password without a session. Each works once.

type Given = AcceptInvitation & Pick<NewPassword, 'end_tokens'>

/** `field` is the key of the input that holds the password. */
const links = {
  reset: { purposes: RESET_PURPOSES, action: 'password-reset', field: 'new_password' },
  invitation: { purposes: ['invitation', 'invitation-link'], action: 'invitation-accept', field: 'password' },
} as const

/** These links prove that their user reads the mailbox. Links that a superuser hands over do not. */
const MAILED_PURPOSES = new Set<ChallengePurpose>(['password-reset', 'invitation'])

/**
 * Writes a mail with a token right before it is sent. Locks the account, so that its address does not change meanwhile.
 * @param write returns `undefined` if the mail is no longer needed
 */
export async function composeForOwner(
  context: Context,
  { address, origin }: QueuedMail,
  write: (act: Act, user: User) => Promise<MailContent | undefined>,
): ReturnType<MailType['compose']> {
  const key = emailKey(address)
  const found = await findCredentials(context.store.db, { emailKey: key })
  if (!found) return undefined
  return change(context, { ip: origin }, {}, async (act) => {
    const user = await lockUser(act.tx, found.user.id, { emailKey: key })
    const content = user && (await write(act, user))
    return content && { to: user.email, content }
  })
}

/** @returns the removed factors, if any @throws DomainError `invalid` for any invalid token; `weak-password`; `busy` */
export async function setPasswordByToken(context: Context, device: Origin, link: keyof typeof links, given: Given) {
  const { config, hashing, store } = context
  const { purposes, action, field } = links[link]
  const { token, password, end_tokens: endTokens = false, ...others } = given
  const { userId } = (await readChallenge(context, purposes, token)) ?? {}
  const owner = userId ? await findUser(store.db, userId) : undefined
  if (owner?.is_active) {
    requireGoodPassword(context, password, { ...owner, ...others }, field)
    const hash = await hashing.hash(password, hashGroup(device.ip))
    const changed = await change(context, device, {}, async (act) => {
      const before = config.passwordLogIn ? await lockUser(act.tx, owner.id) : undefined
      const used = before?.is_active && (await redeemChallenge(act, purposes, token))
      if (!used) return undefined
      const isMailed = MAILED_PURPOSES.has(used.purpose)
      const named = await setProfile(act, before, others)
      const removed = await setPassword(act, named, { hash, endTokens, link: { action, isMailed } })
      // The owner uses this network, so wrong passwords from other networks must not block log-ins from it.
      await rememberNetwork(act, before.id, device.ip)
      return { removed }
    })
    if (changed) return changed.removed
  }
  await change(context, device, {}, async (act) => {
    // The limit keeps made-up tokens from filling the audit log.
    if (!(await tryConsume(act, 'invalidToken', { ip: device.ip }))) return
    act.audit(action, { result: 'invalid-token' })
  })
  if (link === 'invitation' && !config.passwordLogIn) throw passwordLogInOff(context)
  throw new DomainError('invalid', 'Invalid token')
}
