import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { type Period, startsOf } from '../platform/lib/clock.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import type { TokenPurpose } from '../tables.ts'
import { findCredentials, lockUser, type User } from '../users/queries.ts'

// Tokens of mailed links that set a password, each once and without a session. Only digests are stored.

const LIFETIME_MS: Record<TokenPurpose, number> = { 'password-reset': 60 * 60_000, invitation: 7 * 86_400_000 }

/** When a token that is made now expires. */
export function expiryOf({ now }: Context, purpose: TokenPurpose): number {
  return now() + LIFETIME_MS[purpose]
}

/** When valid tokens expire. One that expires later was made by a wrong clock. */
export function validExpiries({ now }: Context, purpose: TokenPurpose): Period {
  return startsOf(now() + LIFETIME_MS[purpose], LIFETIME_MS[purpose])
}

/**
 * Makes a token for the mail that is about to be sent. The account is locked, so that its address cannot change at the
 * same time.
 * @param save stores the token's digest; returns false if the mail is no longer needed
 * @returns `undefined` when no account has the address or the mail is no longer needed
 */
export async function issueToken(
  { store }: Context,
  address: string,
  save: (tx: Tx, user: User, digest: string) => Promise<boolean>,
): Promise<{ user: User; token: string } | undefined> {
  const key = emailKey(address)
  const found = await findCredentials(store.db, { emailKey: key })
  if (!found) return undefined
  const token = newToken()
  return store.transaction(async (tx) => {
    const user = await lockUser(tx, found.user.id, { emailKey: key })
    return user && (await save(tx, user, hashToken(token))) ? { user, token } : undefined
  })
}
