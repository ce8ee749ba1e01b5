import { addFamiliarBlock, isFamiliarBlock } from '../store/familiar-blocks.ts'
import type { Db, Tx } from '../store/store.ts'
import { startsOf } from '../lib/clock.ts'
import { addressBlock } from '../lib/network-address.ts'
import { limitKey } from './limit-key.ts'

const FAMILIAR_MS = 90 * 86_400_000

/** Whether the owner of the account used this network in the last 90 days. */
export function isFamiliar(db: Db, emailKey: string, ip: string, now: number): Promise<boolean> {
  return isFamiliarBlock(db, emailKey, blockOf(ip), startsOf(now + FAMILIAR_MS, FAMILIAR_MS))
}

/** Records that the owner uses this network. Guesses from other networks do not count against its limits. */
export function makeFamiliar(tx: Tx, userId: string, ip: string, now: number): Promise<void> {
  return addFamiliarBlock(tx, userId, blockOf(ip), now + FAMILIAR_MS)
}

/** A digest, so that the database does not show where users were. */
function blockOf(ip: string): string {
  return limitKey('familiar', addressBlock(ip))
}
