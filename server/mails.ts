import { accountMails } from './accounts/mails.ts'
import { administrationMails } from './administration/mails.ts'
import type { MailComposers } from './platform/mail/mailer.ts'
import { signInMails } from './sign-in/mails.ts'

/** A composer for each kind of mail. */
export const mails: MailComposers = { ...signInMails, ...accountMails, ...administrationMails }
