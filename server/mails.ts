import { emailConfirmation } from './accounts/email-confirmation.ts'
import { invitation } from './accounts/invitations.ts'
import { recovery } from './accounts/recovery.ts'
import { accountCreated } from './administration/mails.ts'
import type { MailType } from './platform/mail/mailer.ts'
import { notices } from './notices/mails.ts'

export const mails: readonly MailType[] = [
  recovery,
  invitation,
  emailConfirmation,
  accountCreated,
  // These tell what happened to an account.
  ...notices,
]
