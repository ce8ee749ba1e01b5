import type { Services, TxContext } from '../platform/context.ts'
import { tryConsume } from '../limits/rules.ts'
import type { LimitName } from '../limits/table.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { type MailContent, renderTemplate } from '../platform/mail/email-template.ts'
import type { MailType } from '../platform/mail/mailer.ts'
import { queueMail } from '../platform/mail/outbox.ts'

// Mails that tell the owner of an account what happened. They have no secrets, and their links change nothing.

interface Notice {
  subject: string
  text: string
  closing: Parameters<typeof renderTemplate>[1]['closing'][number]
}

type Write = (product: string, recoverUrl: string, provider: string) => Notice

const ifNotYou = (advice: string): string => `If this was not you, ${advice}`
const LOOK_AT_SESSIONS = ifNotYou('change your password, look at your sessions, and tell an administrator.')
const LOOK_AT_PASSKEYS = ifNotYou(
  'change your password, look at your passkeys and sessions, and tell an administrator.',
)
const LOOK_AT_IDENTITIES = ifNotYou(
  'look at the connected accounts and the sessions on your security page, and tell an administrator.',
)
const setPassword = (url: string) => ({ label: ifNotYou('set a new password now:'), url })

const texts = {
  'passkey-added': (product) => ({
    subject: `A passkey was added to your ${product} account`,
    text: `A passkey was just added to your ${product} account.`,
    closing: LOOK_AT_PASSKEYS,
  }),
  'passkey-removed': (product) => ({
    subject: `A passkey was removed from your ${product} account`,
    text: `A passkey was just removed from your ${product} account.`,
    closing: LOOK_AT_PASSKEYS,
  }),
  'app-added': (product) => ({
    subject: `An authenticator app was added to your ${product} account`,
    text: `An authenticator app was just added to your ${product} account. From now on, a log-in by password asks for its code.`,
    closing: LOOK_AT_SESSIONS,
  }),
  'app-removed': (product) => ({
    subject: `The authenticator app was removed from your ${product} account`,
    text: `The authenticator app and the recovery codes of your ${product} account were just removed.`,
    closing: LOOK_AT_SESSIONS,
  }),
  'recovery-code-used': (product) => ({
    subject: `A recovery code of your ${product} account was used`,
    text: `Someone just logged in to your ${product} account with a recovery code. This code does not work again.`,
    closing: LOOK_AT_SESSIONS,
  }),
  'wrong-codes': (product) => ({
    subject: `Wrong codes were entered for your ${product} account`,
    text: `Ten wrong codes were entered for your ${product} account within a day, by someone who knows its password or uses one of its sessions.`,
    closing: LOOK_AT_SESSIONS,
  }),
  'second-factor-reset': (product) => ({
    subject: `The two-step login of your ${product} account was reset`,
    text: `An administrator just removed the authenticator app, the recovery codes and the passkeys of your ${product} account, and ended its sessions.`,
    closing: LOOK_AT_SESSIONS,
  }),
  'identity-added': (product, _recoverUrl, provider) => ({
    subject: `A company account was connected to your ${product} account`,
    text: `An account at ${provider} was just connected to your ${product} account. It can log in to it from now on.`,
    closing: LOOK_AT_IDENTITIES,
  }),
  'identity-matched': (product, _recoverUrl, provider) => ({
    subject: `A company account was connected to your ${product} account`,
    text: `Someone with this address logged in with ${provider}, which connected that account to your ${product} account. All its sessions and API tokens have ended. A password, passkeys and an authenticator app that were set up before this address was confirmed were removed, because someone else may have set them up.`,
    closing: LOOK_AT_IDENTITIES,
  }),
  'identity-removed': (product) => ({
    subject: `A company account was disconnected from your ${product} account`,
    text: `A company account that could log in to your ${product} account was just disconnected.`,
    closing: LOOK_AT_IDENTITIES,
  }),
  'password-changed': (product, recoverUrl) => ({
    subject: `Your ${product} password was changed`,
    text: `The password of your ${product} account was just changed.`,
    closing: setPassword(recoverUrl),
  }),
  'factors-removed': (product, recoverUrl) => ({
    subject: `Your ${product} password was changed`,
    text: `The password of your ${product} account was just changed. The passkeys, the authenticator app, the recovery codes, the connected accounts and the API tokens that were set up before this address was confirmed were removed, because someone else may have set them up.`,
    closing: setPassword(recoverUrl),
  }),
  'token-created': (product) => ({
    subject: `An API token was created for your ${product} account`,
    text: `An API token was just created for your ${product} account. A program that has it may act as you until it expires.`,
    closing: ifNotYou('end the token on your security page, change your password, and tell an administrator.'),
  }),
  'address-requested': (product) => ({
    subject: `Another email address was asked for in your ${product} account`,
    text: `Someone who is logged in to your ${product} account asked for another email address. The account gets it when the link in a mail to that address is used.`,
    closing: ifNotYou('change your password, which ends this, and tell an administrator.'),
  }),
  'address-changed': (product) => ({
    subject: `The email address of your ${product} account was changed`,
    text: `Your ${product} account now has another email address. Mails about it no longer come to this one.`,
    closing: ifNotYou('tell an administrator at once.'),
  }),
} satisfies Record<string, Write>

export type NoticeKind = keyof typeof texts

export const recoverUrl = ({ publicUrl }: Services): string => `${publicUrl()}/recover-password`

export function noticeMail(context: Services, kind: NoticeKind): MailContent {
  const { product, oidc } = context.config
  const { subject, text, closing } = (texts[kind] as Write)(product, recoverUrl(context), oidc?.name ?? 'a company')
  return renderTemplate(product, { subject, paragraphs: ['Hello,', text], closing: [closing] })
}

const compose = (kind: NoticeKind): MailType => ({
  kind,
  urgency: 2,
  compose: async (context, { address }) => ({ to: address, content: noticeMail(context, kind) }),
})

const types = Object.fromEntries((Object.keys(texts) as NoticeKind[]).map((kind) => [kind, compose(kind)])) as Record<
  NoticeKind,
  MailType
>

export const notices: readonly MailType[] = Object.values(types)

/** Tells the owner of an account, once in 5 minutes for each kind. */
export async function notify(context: TxContext, kind: NoticeKind, address: string, ip: string): Promise<void> {
  // The old address gets this notice even if other notices have used up the limit: it is the last one to that address.
  const limits: LimitName[] = kind === 'address-changed' ? ['notice'] : ['notice', 'noticeOfAnyKind']
  if (await tryConsume(context, limits, { kind, email: emailKey(address) }))
    await queueMail(context, types[kind], address, ip)
}
