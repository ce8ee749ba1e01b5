import type { Services } from '../platform/context.ts'
import { composeForOwner } from '../accounts/mailed-links.ts'
import { invitationMail, resetUrl } from '../accounts/mails.ts'
import { issueResetToken } from '../accounts/recovery.ts'
import { greetingOf, renderTemplate } from '../platform/mail/email-template.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { recoverUrl } from '../notices/mails.ts'
import type { User } from '../users/queries.ts'

export function accountCreatedMail(context: Services, recipient: Pick<User, 'full_name' | 'is_active'>, token: string) {
  const { product } = context.config
  return renderTemplate(product, {
    subject: `Your new ${product} account`,
    paragraphs: [
      greetingOf(recipient),
      `An administrator has made a ${product} account for you. Choose a password to begin.`,
      ...(recipient.is_active ? [] : ['The account is not active yet. The link works once it is.']),
    ],
    action: { label: 'Set your password', url: resetUrl(context, token) },
    closing: [
      { label: 'The link works once, and for one hour. After that, ask for a new one:', url: recoverUrl(context) },
    ],
  })
}

/**
 * The token works once the account is active. Without passwords, the account is an invited one. Composing adds no audit
 * entry, because creating the account added one for the mail.
 */
export const accountCreated: MailType = {
  kind: 'account-created',
  urgency: 0,
  compose: (context, mail) =>
    composeForOwner(context, mail, async (act, user) =>
      act.config.passwordLogIn
        ? accountCreatedMail(act, user, await issueResetToken(act, user, mail.attempts))
        : invitationMail(act, user),
    ),
}
