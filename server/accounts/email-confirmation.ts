import { type Act, change } from '../sessions/change.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { CONFIRMATION_PURPOSES, readChallenge, issueChallenge, redeemChallenge } from '../sign-in/challenges.ts'
import type { SessionActor } from '../users/access.ts'
import { findCredentials, lockUser, setPendingEmail, type User } from '../users/queries.ts'
import { refuseTaken, setAddress } from './changes.ts'
import { confirmationMail } from './mails.ts'

// People confirm an address by a mailed link and a session of the account: docs/decisions/0042-proofs-of-addresses.md.

function unconfirmedAddress({ pending_email, email_confirmed_at, email }: User): string | undefined {
  return pending_email ?? (email_confirmed_at === null ? email : undefined)
}

/**
 * Makes an address pending, mails it a link, and tells the current address.
 * @param user locked by this transaction
 * @throws DomainError `conflict` when another account has the address
 */
export async function requestAddress(act: Act, user: User, address: string): Promise<User> {
  const owner = await findCredentials(act.tx, { emailKey: emailKey(address) })
  if (owner && owner.user.id !== user.id) refuseTaken()
  await deleteChallenges(act.tx, [user.id], CONFIRMATION_PURPOSES)
  await setPendingEmail(act.tx, user.id, address)
  act.audit('address-request', { details: { email: { from: user.email, to: address } } })
  await act.notify('address-requested', user.email)
  const pending = { ...user, pending_email: address }
  await mailLink(act, pending)
  return pending
}

/** Queues a mail with a link, unless the address is already confirmed or has received too many such mails. */
export async function mailLink(act: Act, user: User): Promise<void> {
  const address = unconfirmedAddress(user)
  if (address === undefined || !(await tryConsume(act, 'confirmationMail', { email: emailKey(address) }))) return
  await queueLink(act, user.id, address)
}

/** @throws DomainError `conflict` if the account has no address to confirm; `too-many` */
export async function sendLinkAgain(context: Context, actor: SessionActor): Promise<void> {
  if (!context.config.confirmEmail) throw new DomainError('conflict', 'Addresses are not confirmed here')
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    const { user } = act.actor
    const address = unconfirmedAddress(user)
    if (address === undefined) throw new DomainError('conflict', 'Your address is confirmed')
    await consume(act, ['confirmationInMinute', 'confirmation', 'confirmationMail'], {
      user: user.id,
      email: emailKey(address),
    })
    await queueLink(act, user.id, address)
  })
}

async function queueLink(act: Act, userId: string, address: string): Promise<void> {
  const mailId = await queueMail(act, emailConfirmation, address, act.actor.ip)
  await issueChallenge(act, 'email-confirmation-mail', userId, null, { token: mailId })
}

/** The mail is not sent if a newer one replaced it, or if the account no longer has this address to confirm. */
export const emailConfirmation: MailType = {
  kind: 'email-confirmation',
  urgency: 0,
  async compose(context, { id, address, origin, attempts: attempt }) {
    const token = await change(context, { ip: origin }, {}, async (act) => {
      const { userId } = (await readChallenge(act, ['email-confirmation-mail'], id)) ?? {}
      const user = userId ? await lockUser(act.tx, userId) : undefined
      const wanted = user?.is_active ? unconfirmedAddress(user) : undefined
      return user && wanted !== undefined && isSameMailbox(wanted, address)
        ? issueChallenge(act, 'email-confirmation', user.id, { address }, { attempt })
        : undefined
    })
    return token === undefined ? undefined : { to: address, content: confirmationMail(context, token) }
  },
}

/**
 * Confirms the address to which the link was mailed. A pending address replaces the current one. Sessions stay valid.
 * The link needs a session: otherwise the owner of a mailbox could confirm an account that a stranger made with it.
 * @returns `other-account` if the link belongs to another account; the link stays valid
 * @throws DomainError `invalid` for any invalid token, without the reason; `conflict` when the address is taken by now
 */
export async function confirmEmail(context: Context, actor: SessionActor, token: string) {
  const asked = await readChallenge(context, ['email-confirmation'], token)
  if (asked && asked.userId !== actor.user.id) return 'other-account'
  const isConfirmed = await change(context, actor, { lock: 'own-account' }, async (act) => {
    const { user } = act.actor
    const used = await redeemChallenge(act, ['email-confirmation'], token)
    const wanted = unconfirmedAddress(user)
    if (!used || wanted === undefined || !isSameMailbox(wanted, used.payload.address)) return false
    act.audit('address-confirm')
    await setAddress(act, user, wanted, true)
    return true
  })
  if (!isConfirmed) throw new DomainError('invalid', 'Invalid token')
  return 'done'
}

export async function forgetPendingEmail(context: Context, actor: SessionActor): Promise<void> {
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    const { user } = act.actor
    if (user.pending_email === null) return
    await deleteChallenges(act.tx, [user.id], CONFIRMATION_PURPOSES)
    await setPendingEmail(act.tx, user.id, null)
  })
}
