import type { Context } from '../platform/context.ts'
import { type MailContent, renderLetter } from '../platform/mail/letter.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'

function noticeMail({ config: { product } }: Context, change: 'added to' | 'removed from'): MailContent {
  return renderLetter(product, {
    subject: `A passkey was ${change} your ${product} account`,
    paragraphs: ['Hello,', `A passkey was just ${change} your ${product} account.`],
    closing: [
      'If this was not you, change your password, look at your passkeys and sessions, and tell an administrator.',
    ],
  })
}

export const passkeyMails = {
  'passkey-added': async (context, { address }) => ({ to: address, content: noticeMail(context, 'added to') }),
  'passkey-removed': async (context, { address }) => ({ to: address, content: noticeMail(context, 'removed from') }),
} satisfies Partial<MailComposers>
