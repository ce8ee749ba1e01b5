import type { Context } from '../platform/context.ts'
import { type Answers, type Claims, isGiven } from '../platform/identity-provider.ts'
import { isEmailAddress, isSameMailbox, normalizeAddress } from '../platform/lib/email-address.ts'
import type { ProvedIdentity } from '../sign-in/identities.ts'

/** A log-in at the provider is recent for this long. The provider's clock may be wrong by as much. */
const RECENT_MS = 5 * 60_000

const MAX_NAME = 255

export interface Person extends ProvedIdentity {
  /** Who says that the address belongs to this person: the provider, or the setting OIDC_TRUST_EMAIL. */
  vouched: 'by-provider' | 'by-setting' | undefined
  name: string | null
  isRecent: boolean
}

/** @returns `undefined` if the claim `sub` is not valid */
export function personOf({ config, now }: Context, { subject, idToken, userinfo }: Answers): Person | undefined {
  // OpenID Connect Core, 2, allows 255 characters.
  if (!config.oidc || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject)) return undefined
  const answers = userinfo ? [idToken, userinfo] : [idToken]
  return {
    issuer: config.oidc.issuer,
    subject,
    ...addressOf(answers, config.oidc.trustEmail),
    name: answers.map(({ name }) => toName(name)).find((name) => name !== null) ?? null,
    isRecent: isRecent(idToken['auth_time'], now()),
  }
}

/**
 * The first address in the answers. It is verified if an answer with this address says so, and no answer says that it
 * is not.
 */
export function addressOf(answers: readonly Claims[], trust: 'verified' | 'always'): Pick<Person, 'email' | 'vouched'> {
  const given = answers.map(({ email }) => email).find(isGiven)
  if (!isAddress(given)) return { email: null, vouched: undefined }
  const own = answers.filter(({ email }) => isAddress(email) && isSameMailbox(email, given))
  const vouched = answers.some(saysVerified(false, 'false', 0, '0'))
    ? undefined
    : own.some(saysVerified(true, 'true', 1, '1'))
      ? 'by-provider'
      : trust === 'always'
        ? 'by-setting'
        : undefined
  return { email: normalizeAddress(given), vouched }
}

/** Only `xms_edov`, a claim of Microsoft Entra, can be a number. */
function saysVerified(word: boolean, text: string, ...numbers: readonly unknown[]) {
  return ({ email_verified: verified, xms_edov: edov }: Claims): boolean =>
    [word, text].includes(verified as string) || [word, text, ...numbers].includes(edov)
}

/** Refuses an address that NFKC changes, such as one with `ﬁ`, because it would equal the address of another person. */
function isAddress(text: unknown): text is string {
  return typeof text === 'string' && isEmailAddress(text) && text.trim().normalize('NFC') === normalizeAddress(text)
}

function toName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const text = name.slice(0, 4 * MAX_NAME).replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '')
  const short = Array.from(text.trim()).slice(0, MAX_NAME).join('')
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u.test(short) ? short : null
}

function isRecent(authTime: unknown, now: number): boolean {
  return typeof authTime === 'number' && Math.abs(now - authTime * 1000) <= RECENT_MS
}
