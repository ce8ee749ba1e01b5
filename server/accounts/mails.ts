import type { Context } from '../platform/context.ts'
import { type MailContent, renderLetter } from '../platform/mail/letter.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'

export const recoverUrl = ({ publicUrl }: Context): string => `${publicUrl()}/recover-password`

export function passwordChangedMail(context: Context): MailContent {
  const { product } = context.config
  return renderLetter(product, {
    subject: `Your ${product} password was changed`,
    paragraphs: ['Hello,', `The password of your ${product} account was just changed.`],
    closing: [{ label: 'If this was not you, set a new password at once:', url: recoverUrl(context) }],
  })
}

function factorsRemovedMail(context: Context): MailContent {
  const { product } = context.config
  return renderLetter(product, {
    subject: `Your ${product} password was changed`,
    paragraphs: [
      'Hello,',
      `The password of your ${product} account was just changed. The passkeys, the authenticator app and the recovery codes that were set up before this address was confirmed were removed, as somebody else may have set them up.`,
    ],
    closing: [{ label: 'If this was not you, set a new password at once:', url: recoverUrl(context) }],
  })
}

export function addressChangedMail({ config }: Context): MailContent {
  const { product } = config
  return renderLetter(product, {
    subject: `The email address of your ${product} account was changed`,
    paragraphs: [
      'Hello,',
      `Your ${product} account now has another email address. Mails about it no longer come to this one.`,
    ],
    closing: ['If this was not you, tell an administrator at once.'],
  })
}

export const accountMails = {
  'password-changed': async (context, { address }) => ({ to: address, content: passwordChangedMail(context) }),
  'factors-removed': async (context, { address }) => ({ to: address, content: factorsRemovedMail(context) }),
  'address-changed': async (context, { address }) => ({ to: address, content: addressChangedMail(context) }),
} satisfies Partial<MailComposers>
