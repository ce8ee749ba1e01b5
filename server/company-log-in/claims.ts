import type { Context } from '../platform/context.ts'
import type { Claims } from '../platform/identity-provider.ts'
import { isEmailAddress, normalizeAddress } from '../platform/lib/email-address.ts'
import type { ProvedIdentity } from '../sign-in/identities.ts'

// What a provider says of a person.

/** The clock of the provider may differ by as much. */
const RECENT_MS = 5 * 60_000

const MAX_NAME = 255

export interface Person extends ProvedIdentity {
  /** Whether the address is theirs: the provider says so, or OIDC_TRUST_EMAIL does. */
  vouched: 'by-provider' | 'by-setting' | undefined
  name: string | null
  /** Whether they authenticated at the provider within 5 minutes. */
  isRecent: boolean
}

/** @returns `undefined` without a usable `sub` */
export function personOf({ config, now }: Context, claims: Claims): Person | undefined {
  const { sub: subject, email, name } = claims
  // OpenID Connect Core, 2: at most 255 characters.
  if (!config.oidc || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject)) return undefined
  const isAddress = typeof email === 'string' && isEmailAddress(email)
  return {
    issuer: config.oidc.issuer,
    subject,
    email: isAddress ? normalizeAddress(email) : null,
    vouched: isAddress ? vouchedFor(claims, config.oidc.trustEmail) : undefined,
    name: toName(name),
    isRecent: isRecent(claims['auth_time'], now()),
  }
}

/** An explicit no counts more than anything else. */
function vouchedFor(
  { email_verified: verified, xms_edov: edov }: Claims,
  trust: 'verified' | 'always',
): Person['vouched'] {
  if ([false, 'false'].includes(verified as string) || [false, 'false', 0, '0'].includes(edov as string))
    return undefined
  if ([true, 'true'].includes(verified as string) || [true, 'true', 1, '1'].includes(edov as string))
    return 'by-provider'
  return trust === 'always' ? 'by-setting' : undefined
}

/** Text that the contract accepts as a full name. */
function toName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const text = name.slice(0, 4 * MAX_NAME).replaceAll(/[\0\p{Cs}]/gu, '')
  const short = Array.from(text.trim()).slice(0, MAX_NAME).join('')
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u.test(short) ? short : null
}

function isRecent(authTime: unknown, now: number): boolean {
  return typeof authTime === 'number' && Math.abs(now - authTime * 1000) <= RECENT_MS
}
