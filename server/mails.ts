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
  // Mails that tell the owner of an account what happened to it.
  ...notices,
]
