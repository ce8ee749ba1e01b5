import { accountMails } from './accounts/mails.ts'
import { administrationMails } from './administration/mails.ts'
import { invitationMails } from './invitations/mails.ts'
import type { MailComposers } from './platform/mail/mailer.ts'
import { passkeyMails } from './passkeys/mails.ts'
import { recoveryMails } from './recovery/mails.ts'
import { secondFactorMails } from './second-factor/mails.ts'

/** A composer for each kind of mail. */
export const mails: MailComposers = {
  ...accountMails,
  ...administrationMails,
  ...invitationMails,
  ...passkeyMails,
  ...recoveryMails,
  ...secondFactorMails,
}
