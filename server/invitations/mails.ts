import type { Context } from '../platform/context.ts'
import { greetingOf, type MailContent, renderLetter } from '../platform/mail/letter.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'
import type { User } from '../users/queries.ts'
import { issueInvitationToken } from './rules.ts'

export const invitationUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, token: string): string =>
  `${publicUrl()}/accept-invitation?token=${encodeURIComponent(token)}`

export function invitationMail(context: Context, recipient: Pick<User, 'full_name'>, token: string): MailContent {
  const { product } = context.config
  return renderLetter(product, {
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

export const invitationMails = {
  async invitation(context, mail) {
    const issued = await issueInvitationToken(context, mail)
    return issued && { to: issued.user.email, content: invitationMail(context, issued.user, issued.token) }
  },
} satisfies Partial<MailComposers>
