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
 * The token works once the account is active. If log-in with passwords is off, the mail is an invitation. The audit
 * entry for the mail was added when the account was created.
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
