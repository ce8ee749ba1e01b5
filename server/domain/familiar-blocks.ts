import { findUsages, openWindow } from '../store/limits.ts'
import type { Db, Tx } from '../store/store.ts'
import { addressBlock } from '../lib/network-address.ts'
import { limitKey } from './limit-key.ts'

const FAMILIAR_MS = 90 * 86_400_000

/** Whether an account's owner was in the network of this address within the last 90 days. */
export async function isFamiliar(db: Db, emailKey: string, ip: string, now: number): Promise<boolean> {
  return (await findUsages(db, [keyOf(emailKey, ip)], now)).size > 0
}

/** The account's owner is in this network now: guesses from elsewhere leave it its own allowance. */
export async function makeFamiliar(tx: Tx, emailKey: string, ip: string, now: number): Promise<void> {
  await openWindow(tx, keyOf(emailKey, ip), now, now + FAMILIAR_MS)
}

function keyOf(emailKey: string, ip: string): string {
  return limitKey('familiar', addressBlock(ip), emailKey)
}
