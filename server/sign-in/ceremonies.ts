import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import type { CeremonyPurpose } from '../tables.ts'
import { deleteOldestCeremonies, insertCeremony, takeCeremony } from './passkey-queries.ts'

export const CEREMONY_MS = 5 * 60_000
const OPEN_PER_ACCOUNT = 5

export interface RelyingParty {
  id: string
  origin: string
  name: string
}

/** @returns `undefined` where browsers offer no passkeys: an IP address, or http other than localhost */
function relyingParty({ config, publicUrl }: Context): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl())
  const isName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  if (!isName || (protocol !== 'https:' && hostname !== 'localhost')) return undefined
  return { id: hostname, origin, name: config.product }
}

export function hasPasskeys(context: Context): boolean {
  return relyingParty(context) !== undefined
}

/** @throws DomainError `conflict` */
export function requirePasskeys(context: Context): RelyingParty {
  const party = relyingParty(context)
  if (!party) throw new DomainError('conflict', 'Passkeys need https or localhost')
  return party
}

export const unverified = () => new DomainError('invalid', 'This passkey could not be verified')

/** Begins a ceremony. The oldest open ones of an account beyond its limit end. @returns its name, and its challenge */
export async function beginCeremony({ now }: Context, tx: Tx, purpose: CeremonyPurpose, userId: string | null) {
  const ceremony = newToken()
  const challenge = randomBytes(32).toString('base64url')
  const expires_at = now() + CEREMONY_MS
  await insertCeremony(tx, { digest: hashToken(ceremony), purpose, user_id: userId, challenge, expires_at })
  if (userId !== null) await deleteOldestCeremonies(tx, userId, OPEN_PER_ACCOUNT)
  return { ceremony, challenge }
}

/** @throws DomainError `too-many` */
export async function beginPublicCeremony(context: Context, ip: string) {
  return context.store.transaction(async (tx) => {
    await consume(context, tx, 'passkeyLogIn', { ip })
    return beginCeremony(context, tx, 'log-in', null)
  })
}

/** Spends a ceremony, whatever it is for. @returns its challenge @throws DomainError `invalid` */
export async function spendCeremony(
  { store, now }: Context,
  ceremony: string,
  purpose: CeremonyPurpose,
  userId: string | null,
): Promise<string> {
  const taken = await takeCeremony(store.db, hashToken(ceremony))
  const { after, until } = startsOf(now(), CEREMONY_MS)
  const begunAt = (taken?.expires_at ?? 0) - CEREMONY_MS
  if (!taken || taken.purpose !== purpose || taken.user_id !== userId || begunAt <= after || begunAt > until) {
    throw unverified()
  }
  return taken.challenge
}
