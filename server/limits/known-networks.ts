import { type AnyContext, dbOf, type TxContext } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { subnet } from '../platform/lib/network-address.ts'
import { limitKey } from './table.ts'
import { deleteKnown, isKnown, upsertKnown } from './queries.ts'

const KNOWN_MS = 90 * 86_400_000

/** Whether the owner of the account used this network in the last 90 days. */
export function isKnownNetwork(context: AnyContext, emailKey: string, ip: string): Promise<boolean> {
  return isKnown(dbOf(context), emailKey, digestOf(ip), startsOf(context.now() + KNOWN_MS, KNOWN_MS))
}

/** Records that the owner uses this network. Wrong passwords from other networks do not lock it out. */
export function rememberNetwork({ now, tx }: TxContext, userId: string, ip: string): Promise<void> {
  return upsertKnown(tx, userId, digestOf(ip), now() + KNOWN_MS)
}

/** They may be those of somebody else. */
export function forgetNetworks(tx: Tx, userIds: readonly string[]): Promise<void> {
  return deleteKnown(tx, userIds)
}

/** A digest, so that the database does not show where users were. */
function digestOf(ip: string): string {
  // The word is part of stored digests.
  return limitKey('familiar', subnet(ip))
}
