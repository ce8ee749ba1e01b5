import type { Context } from '../platform/context.ts'
import { greetingOf, type MailContent, renderTemplate } from '../platform/mail/email-template.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'
import type { User } from '../users/queries.ts'
import { issueInvitationToken } from './invitations.ts'
import { issueResetToken } from './recovery.ts'

export const resetUrl = ({ publicUrl }: Context, token: string): string =>
  `${publicUrl()}/reset-password?token=${encodeURIComponent(token)}`

export function recoveryMail(context: Context, token: string): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Reset your ${product} password`,
    paragraphs: ['Hello,', `Somebody asked for a new password for your ${product} account.`],
    action: { label: 'Reset password', url: resetUrl(context, token) },
    closing: [
      'The link works once, and for one hour.',
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  })
}

export const invitationUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, token: string): string =>
  `${publicUrl()}/accept-invitation?token=${encodeURIComponent(token)}`

export function invitationMail(context: Context, recipient: Pick<User, 'full_name'>, token: string): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `You are invited to ${product}`,
    paragraphs: [
      greetingOf(recipient),
      `An administrator has invited you to ${product}, and made an account for this address. Choose a password to begin.`,
    ],
    action: { label: 'Accept invitation', url: invitationUrl(context, token) },
    closing: [
      'The link works once, and for 7 days. After that, ask an administrator for a new one.',
      'If you did not expect this, you need not do anything.',
    ],
  })
}

export const recoverUrl = ({ publicUrl }: Context): string => `${publicUrl()}/recover-password`

export function passwordChangedMail(context: Context): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Your ${product} password was changed`,
    paragraphs: ['Hello,', `The password of your ${product} account was just changed.`],
    closing: [{ label: 'If this was not you, set a new password at once:', url: recoverUrl(context) }],
  })
}

function factorsRemovedMail(context: Context): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Your ${product} password was changed`,
    paragraphs: [
      'Hello,',
      `The password of your ${product} account was just changed. The passkeys, the authenticator app and the recovery codes that were set up before this address was confirmed were removed, as somebody else may have set them up.`,
    ],
    closing: [{ label: 'If this was not you, set a new password at once:', url: recoverUrl(context) }],
  })
}

export function addressChangedMail({ config }: Context): MailContent {
  const { product } = config
  return renderTemplate(product, {
    subject: `The email address of your ${product} account was changed`,
    paragraphs: [
      'Hello,',
      `Your ${product} account now has another email address. Mails about it no longer come to this one.`,
    ],
    closing: ['If this was not you, tell an administrator at once.'],
  })
}

export const accountMails = {
  async recovery(context, mail) {
    const issued = await issueResetToken(context, mail, 'recovery')
    return issued && { to: issued.user.email, content: recoveryMail(context, issued.token) }
  },
  async invitation(context, mail) {
    const issued = await issueInvitationToken(context, mail)
    return issued && { to: issued.user.email, content: invitationMail(context, issued.user, issued.token) }
  },
  'password-changed': async (context, { address }) => ({ to: address, content: passwordChangedMail(context) }),
  'factors-removed': async (context, { address }) => ({ to: address, content: factorsRemovedMail(context) }),
  'address-changed': async (context, { address }) => ({ to: address, content: addressChangedMail(context) }),
} satisfies Partial<MailComposers>
