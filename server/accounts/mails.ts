import type { Services } from '../platform/context.ts'
import { greetingOf, type MailContent, renderTemplate } from '../platform/mail/email-template.ts'
import type { User } from '../users/queries.ts'

export const resetUrl = ({ publicUrl }: Services, token: string): string =>
  `${publicUrl()}/reset-password?token=${encodeURIComponent(token)}`

export function recoveryMail(context: Services, token: string): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Reset your ${product} password`,
    paragraphs: ['Hello,', `Someone asked for a new password for your ${product} account.`],
    action: { label: 'Reset password', url: resetUrl(context, token) },
    closing: [
      'The link works once, and for one hour.',
      'If you did not ask for this, ignore this mail. Your password does not change.',
    ],
  })
}

export function confirmationMail(context: Services, token: string): MailContent {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Confirm your email address for ${product}`,
    paragraphs: ['Hello,', `Someone uses this address for a ${product} account. Confirm that it is yours.`],
    action: {
      label: 'Confirm address',
      url: `${context.publicUrl()}/confirm-email?token=${encodeURIComponent(token)}`,
    },
    closing: [
      'The link works once, for 24 hours, and only while you are logged in to this account.',
      'If you did not ask for this, ignore this mail. Nothing will change.',
    ],
  })
}

/** If log-in with passwords is off, a log-in with a company account accepts the invitation. */
export const invitationUrl = ({ config, publicUrl }: Services, token = ''): string =>
  config.passwordLogIn ? `${publicUrl()}/accept-invitation?token=${encodeURIComponent(token)}` : `${publicUrl()}/login`

export function invitationMail(context: Services, recipient: Pick<User, 'full_name'>, token?: string): MailContent {
  const { product, passwordLogIn, oidc } = context.config
  const begin = passwordLogIn ? 'Choose a password to begin.' : `Log in with ${oidc?.name} to begin.`
  return renderTemplate(product, {
    subject: `You are invited to ${product}`,
    paragraphs: [
      greetingOf(recipient),
      `An administrator has invited you to ${product}, and made an account for this address. ${begin}`,
    ],
    action: { label: passwordLogIn ? 'Accept invitation' : 'Log in', url: invitationUrl(context, token) },
    closing: [
      ...(passwordLogIn
        ? ['The link works once, and for 7 days. After that, ask an administrator for a new one.']
        : []),
      'If you did not expect this, ignore this mail.',
    ],
  })
}
