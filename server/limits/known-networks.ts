import { type AnyContext, dbOf, type TxContext } from '../platform/context.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { subnet } from '../platform/lib/network-address.ts'
import { limitKey } from './table.ts'
import { findKnownNetworks, upsertKnownNetwork } from './queries.ts'

const KNOWN_MS = 90 * 86_400_000

export async function readKnownNetworks(context: AnyContext, emailKey: string, ip: string) {
  const now = context.now()
  const ends = startsOf(now + KNOWN_MS, KNOWN_MS)
  const by = { emailKey, network: digestOf(ip), ends, key: limitKey('forgiven', emailKey) }
  const { isKnown, counted } = await findKnownNetworks(dbOf(context), by, now)
  // Counters of unknown networks cannot be found and deleted, so forgiving attempts changes this part of their keys.
  const account = counted ? `${emailKey} forgiven ${counted.used}, ${counted.endsAt}` : emailKey
  return { account, isKnownNetwork: isKnown }
}

/** Records that the owner uses this network. Wrong passwords from other networks then do not block log-ins from it. */
export function rememberNetwork({ now, tx }: TxContext, userId: string, ip: string): Promise<void> {
  return upsertKnownNetwork(tx, userId, digestOf(ip), now() + KNOWN_MS)
}

/** A digest, so that the database does not show where users were. */
function digestOf(ip: string): string {
  // Another word would make stored digests useless.
  return limitKey('familiar', subnet(ip))
}
