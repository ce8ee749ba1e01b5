import { recordAudit } from '../audit/record.ts'
import { consume, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey, isSameMailbox } from '../platform/lib/email-address.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'
import { changeOwn } from '../sessions/rules.ts'
import { deleteChallenges } from '../sign-in/challenge-queries.ts'
import { CONFIRMATIONS, find, issue, redeem } from '../sign-in/challenges.ts'
import { notify } from '../sign-in/notices.ts'
import type { Origin, SessionActor } from '../users/access.ts'
import { findCredentials, lockUser, setPendingEmail, type User } from '../users/queries.ts'
import { changeAccount, columnsOf, refuseTaken } from './changes.ts'
import { confirmationMail } from './mails.ts'

// A link that is mailed to an address proves it, in a session of the account: docs/decisions/0036-email-confirmation.md.

/** The address that a link would confirm. */
function unconfirmedAddress({ pending_email, email_confirmed_at, email }: User): string | undefined {
  return pending_email ?? (email_confirmed_at === null ? email : undefined)
}

/**
 * Makes an address pending and mails it a link. The present address is told.
 * @param user locked by this transaction
 * @throws DomainError `conflict` when another account has the address
 */
export async function requestAddress(
  context: Context,
  tx: Tx,
  user: User,
  address: string,
  { ip }: Origin,
): Promise<User> {
  const owner = await findCredentials(tx, { emailKey: emailKey(address) })
  if (owner && owner.user.id !== user.id) refuseTaken()
  await deleteChallenges(tx, [user.id], CONFIRMATIONS)
  await setPendingEmail(tx, user.id, address)
  const details = { email: { from: user.email, to: address } }
  await recordAudit(context, tx, { action: 'address-request', actorId: user.id, ip, details })
  await notify(context, tx, 'address-requested', user.email, ip)
  const pending = { ...user, pending_email: address }
  await mailLink(context, tx, pending, { ip })
  return pending
}

/** Queues the link of an account that has something to confirm, unless its address has had too many. */
export async function mailLink(context: Context, tx: Tx, user: User, { ip }: Origin): Promise<void> {
  const address = unconfirmedAddress(user)
  if (address === undefined || !(await tryConsume(context, tx, 'confirmationMail', { email: emailKey(address) })))
    return
  await queueLink(context, tx, user.id, address, ip)
}

/**
 * Queues the link again, for a person who asks for it.
 * @throws DomainError `conflict` where nothing is to be confirmed; `too-many`
 */
export async function sendLinkAgain(context: Context, actor: SessionActor): Promise<void> {
  if (!context.config.confirmEmail) throw new DomainError('conflict', 'Addresses are not confirmed here')
  await changeOwn(context, actor, async (tx, user) => {
    const address = unconfirmedAddress(user)
    if (address === undefined) throw new DomainError('conflict', 'Your address is confirmed')
    await consume(context, tx, ['confirmationInMinute', 'confirmation', 'confirmationMail'], {
      user: user.id,
      email: emailKey(address),
    })
    await queueLink(context, tx, user.id, address, actor.ip)
  })
}

async function queueLink(context: Context, tx: Tx, userId: string, address: string, ip: string): Promise<void> {
  const mailId = await queueMail(context, tx, emailConfirmation, address, ip)
  await issue(context, tx, 'email-confirmation-mail', userId, null, { token: mailId })
}

/** Its token is made when it is sent. Not sent if a newer one replaced it, or the address is confirmed or forgotten. */
export const emailConfirmation: MailType = {
  kind: 'email-confirmation',
  urgency: 0,
  async compose(context, { id, address, attempts: attempt }) {
    const token = await context.store.transaction(async (tx) => {
      const { userId } = (await find(context, tx, ['email-confirmation-mail'], id)) ?? {}
      const user = userId ? await lockUser(tx, userId) : undefined
      const wanted = user?.is_active ? unconfirmedAddress(user) : undefined
      return user && wanted !== undefined && isSameMailbox(wanted, address)
        ? issue(context, tx, 'email-confirmation', user.id, { address }, { attempt })
        : undefined
    })
    return token === undefined ? undefined : { to: address, content: confirmationMail(context, token) }
  },
}

/**
 * Confirms the address to which the link was mailed. A pending one replaces the present one, and sessions stay. The
 * mailbox alone proves nothing: a stranger may have made the account, whose password it must not vouch for.
 * @returns `other-account` for a link of another account, which stays
 * @throws DomainError `invalid` for any invalid token, without the reason; `conflict` when the address is taken by now
 */
export async function confirmEmail(
  context: Context,
  actor: SessionActor,
  token: string,
): Promise<'done' | 'other-account'> {
  const { ip } = actor
  const asked = await find(context, context.store.db, ['email-confirmation'], token)
  if (asked && asked.userId !== actor.user.id) return 'other-account'
  const isConfirmed = await changeOwn(context, actor, async (tx, user) => {
    const used = await redeem(context, tx, ['email-confirmation'], token)
    const wanted = unconfirmedAddress(user)
    if (!used || wanted === undefined || !isSameMailbox(wanted, used.payload.address)) return false
    await recordAudit(context, tx, { action: 'address-confirm', actorId: user.id, ip })
    const by = { actorId: user.id, ip, passwordAction: 'password-change', isMailed: true } as const
    await changeAccount(context, tx, user, wanted === user.email ? {} : columnsOf({ email: wanted }), by)
    return true
  })
  if (!isConfirmed) throw new DomainError('invalid', 'Invalid token')
  return 'done'
}

/** Forgets the pending address, if there is one, and its link. */
export async function forgetPendingEmail(context: Context, actor: SessionActor): Promise<void> {
  await changeOwn(context, actor, async (tx, user) => {
    if (user.pending_email === null) return
    await deleteChallenges(tx, [user.id], CONFIRMATIONS)
    await setPendingEmail(tx, user.id, null)
  })
}
