import type { Context } from '../platform/context.ts'
import { type MailContent, renderLetter } from '../platform/mail/letter.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'
import { issueResetToken } from './rules.ts'

export const resetUrl = ({ publicUrl }: Context, token: string): string =>
  `${publicUrl()}/reset-password?token=${encodeURIComponent(token)}`

export function recoveryMail(context: Context, token: string): MailContent {
  const { product } = context.config
  return renderLetter(product, {
    subject: `Reset your ${product} password`,
    paragraphs: ['Hello,', `Somebody asked for a new password for your ${product} account.`],
    action: { label: 'Reset password', url: resetUrl(context, token) },
    closing: [
      'The link works once, and for one hour.',
      'If you did not ask for it, you need not do anything: your password stays as it is.',
    ],
  })
}

export const recoveryMails = {
  async recovery(context, mail) {
    const issued = await issueResetToken(context, mail, 'recovery')
    return issued && { to: issued.user.email, content: recoveryMail(context, issued.token) }
  },
} satisfies Partial<MailComposers>
