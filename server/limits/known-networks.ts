import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { addressBlock } from '../platform/lib/network-address.ts'
import { addKnownBlock, isKnownBlock } from './known-networks-queries.ts'
import { limitKey } from './key.ts'

const KNOWN_MS = 90 * 86_400_000

/** Whether the owner of the account used this network in the last 90 days. */
export function isKnownNetwork({ now }: Context, db: Db, emailKey: string, ip: string): Promise<boolean> {
  return isKnownBlock(db, emailKey, blockOf(ip), startsOf(now() + KNOWN_MS, KNOWN_MS))
}

/** Records that the owner uses this network. Guesses from other networks do not count against its limits. */
export function rememberNetwork({ now }: Context, tx: Tx, userId: string, ip: string): Promise<void> {
  return addKnownBlock(tx, userId, blockOf(ip), now() + KNOWN_MS)
}

/** A digest, so that the database does not show where users were. */
function blockOf(ip: string): string {
  return limitKey('familiar', addressBlock(ip))
}
