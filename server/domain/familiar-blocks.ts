import { addFamiliarBlock, isFamiliarBlock } from '../store/familiar-blocks.ts'
import type { Db, Tx } from '../store/store.ts'
import { addressBlock } from '../lib/network-address.ts'
import { limitKey } from './limit-key.ts'

const FAMILIAR_MS = 90 * 86_400_000

/** Whether the owner of an account was in the network of this address within the last 90 days. */
export function isFamiliar(db: Db, emailKey: string, ip: string, now: number): Promise<boolean> {
  return isFamiliarBlock(db, emailKey, blockOf(ip), now)
}

/** The owner of an account is in this network now: guesses from elsewhere leave it its own allowance. */
export function makeFamiliar(tx: Tx, userId: string, ip: string, now: number): Promise<void> {
  return addFamiliarBlock(tx, userId, blockOf(ip), now + FAMILIAR_MS)
}

/** A digest: nobody reads in the database where people were. */
function blockOf(ip: string): string {
  return limitKey('familiar', addressBlock(ip))
}
