import { findUsages, type Limit, takeUse } from '../store/limits.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { addressBlock } from '../lib/network-address.ts'
import { DomainError } from './errors.ts'
import { isFamiliar } from './familiar-blocks.ts'
import { limitKey } from './limit-key.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export type Limits = ReturnType<typeof createLimits>

/** How often things may be done. The counters are in the database: several servers share them, and they survive a restart. */
export function createLimits(options: { store: Store; signupsPerHour: number; now: () => number }) {
  const { store, signupsPerHour, now } = options

  /** @throws DomainError `too-many` */
  async function take(limit: Limit, message: string, db: Db = store.db): Promise<void> {
    if ((await takeUse(db, limit, now(), 'used')) !== undefined) return
    const endsAt = (await findUsages(db, [limit.key], now())).get(limit.key)?.endsAt ?? now()
    throw new DomainError('too-many', message, { retryAfter: Math.max(1, Math.ceil((endsAt - now()) / 1000)) })
  }

  /** @returns whether each of the limits has a use left */
  async function hasUseOfEach(tx: Tx, limits: readonly Limit[]): Promise<boolean> {
    for (const limit of limits) if ((await takeUse(tx, limit, now(), 'used')) === undefined) return false
    return true
  }

  return {
    /** @throws DomainError `too-many` */
    signUp: (ip: string): Promise<void> =>
      take(
        { key: limitKey('sign-up', addressBlock(ip)), max: signupsPerHour, windowMs: HOUR },
        'Too many sign-ups from this address, please try again later',
      ),

    /** @throws DomainError `too-many` */
    recovery: (ip: string): Promise<void> =>
      take(
        { key: limitKey('recovery', addressBlock(ip)), max: 30, windowMs: 5 * MINUTE },
        'Too many requests from this address, please try again later',
      ),

    /** Any change of the own account: each leaves an entry in the audit log. @throws DomainError `too-many` */
    accountChange: (userId: string): Promise<void> =>
      take(
        { key: limitKey('account-change', userId), max: 1000, windowMs: HOUR },
        'Too many changes of the account, please try again later',
      ),

    /** A change of the own address, also to one that is taken. @throws DomainError `too-many` */
    addressChange: (userId: string): Promise<void> =>
      take(
        { key: limitKey('address-change', userId), max: 5, windowMs: HOUR },
        'Too many changes of the email address, please try again later',
      ),

    /**
     * Whether one more recovery mail may go to an address: one a minute and five an hour for each block that asks, and ten an
     * hour for all unfamiliar blocks, so that a stranger does not silence the owner. The person who asks is not told.
     */
    async recoveryMail(tx: Tx, emailKey: string, ip: string): Promise<boolean> {
      const block = addressBlock(ip)
      const familiar = await isFamiliar(tx, emailKey, ip, now())
      const everywhere = { key: limitKey('recovery-hour', emailKey), max: 10, windowMs: HOUR }
      return hasUseOfEach(tx, [
        { key: limitKey('recovery-minute', block, emailKey), max: 1, windowMs: MINUTE },
        { key: limitKey('recovery-hour', block, emailKey), max: 5, windowMs: HOUR },
        ...(familiar ? [] : [everywhere]),
      ])
    },

    /** An invitation to an address, also to one that was invited before. @throws DomainError `too-many` */
    invitation: (tx: Tx, emailKey: string): Promise<void> =>
      take(
        { key: limitKey('invitation', emailKey), max: 10, windowMs: HOUR },
        'Too many invitations to this address, please try again later',
        tx,
      ),

    /** Whether one more token that does not hold goes into the audit log: nobody fills it by making them up. */
    async invalidTokenEntry(tx: Tx, ip: string): Promise<boolean> {
      return hasUseOfEach(tx, [{ key: limitKey('invalid-token', addressBlock(ip)), max: 30, windowMs: 15 * MINUTE }])
    },

    /** Whether one more notice of this kind may go to an address: one a minute, five an hour. */
    noticeMail: (tx: Tx, kind: string, emailKey: string): Promise<boolean> =>
      hasUseOfEach(tx, [
        { key: limitKey('notice-minute', kind, emailKey), max: 1, windowMs: MINUTE },
        { key: limitKey('notice-hour', kind, emailKey), max: 5, windowMs: HOUR },
      ]),
  }
}
