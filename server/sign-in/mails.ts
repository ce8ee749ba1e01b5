import type { Context } from '../platform/context.ts'
import { type MailContent, renderTemplate } from '../platform/mail/email-template.ts'
import type { MailComposers } from '../platform/mail/mailer.ts'

interface Notice {
  subject: string
  text: string
}

const notThem = 'If this was not you, change your password, look at your sessions, and tell an administrator.'

function noticeMail({ config: { product } }: Context, noticeOf: (product: string) => Notice): MailContent {
  const { subject, text } = noticeOf(product)
  return renderTemplate(product, { subject, paragraphs: ['Hello,', text], closing: [notThem] })
}

const notices = {
  'app-added': (product: string) => ({
    subject: `An authenticator app was added to your ${product} account`,
    text: `An authenticator app was just added to your ${product} account. From now on, a log-in by password asks for its code.`,
  }),
  'app-removed': (product: string) => ({
    subject: `The authenticator app was removed from your ${product} account`,
    text: `The authenticator app and the recovery codes of your ${product} account were just removed.`,
  }),
  'recovery-code-used': (product: string) => ({
    subject: `A recovery code of your ${product} account was used`,
    text: `Somebody just logged in to your ${product} account with a recovery code. This code does not work again.`,
  }),
  'wrong-codes': (product: string) => ({
    subject: `Wrong codes were entered for your ${product} account`,
    text: `Ten wrong codes were entered for your ${product} account within a day, by somebody who knows its password or uses one of its sessions.`,
  }),
  'second-factor-reset': (product: string) => ({
    subject: `The two-step login of your ${product} account was reset`,
    text: `An administrator just removed the authenticator app, the recovery codes and the passkeys of your ${product} account, and ended its sessions.`,
  }),
}

export type FactorNotice = keyof typeof notices

const compose =
  (kind: FactorNotice): MailComposers[FactorNotice] =>
  async (context, { address }) => ({ to: address, content: noticeMail(context, notices[kind]) })

function passkeyMail({ config: { product } }: Context, change: 'added to' | 'removed from'): MailContent {
  return renderTemplate(product, {
    subject: `A passkey was ${change} your ${product} account`,
    paragraphs: ['Hello,', `A passkey was just ${change} your ${product} account.`],
    closing: [
      'If this was not you, change your password, look at your passkeys and sessions, and tell an administrator.',
    ],
  })
}

export const signInMails = {
  'app-added': compose('app-added'),
  'app-removed': compose('app-removed'),
  'recovery-code-used': compose('recovery-code-used'),
  'wrong-codes': compose('wrong-codes'),
  'second-factor-reset': compose('second-factor-reset'),
  'passkey-added': async (context, { address }) => ({ to: address, content: passkeyMail(context, 'added to') }),
  'passkey-removed': async (context, { address }) => ({ to: address, content: passkeyMail(context, 'removed from') }),
} satisfies Partial<MailComposers>
