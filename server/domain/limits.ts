import { findUsages, type Limit, takeUse } from '../store/limits.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { addressBlock } from '../lib/network-address.ts'
import { DomainError } from './errors.ts'
import { isFamiliar } from './familiar-blocks.ts'
import { limitKey } from './limit-key.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** For a limit without a use left. */
export async function tooMany(db: Db, { key }: Limit, now: number, message: string): Promise<DomainError> {
  const endsAt = (await findUsages(db, [key], now)).get(key)?.endsAt ?? now
  return new DomainError('too-many', message, { retryAfter: Math.max(1, Math.ceil((endsAt - now) / 1000)) })
}

export type Limits = ReturnType<typeof createLimits>

/** Rate limits. The counters are in the database, so that servers share them and they survive a restart. */
export function createLimits(options: { store: Store; signupsPerHour: number; now: () => number }) {
  const { store, signupsPerHour, now } = options

  /** @throws DomainError `too-many` */
  async function take(limit: Limit, message: string, db: Db = store.db): Promise<void> {
    if ((await takeUse(db, limit, now(), 'used')) === undefined) throw await tooMany(db, limit, now(), message)
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

    /** Exports, each of which adds an audit entry. @throws DomainError `too-many` */
    exports: (userId: string): Promise<void> =>
      take({ key: limitKey('export', userId), max: 60, windowMs: HOUR }, 'Too many exports, please try again later'),

    /** Changes of the own account, each of which adds an audit entry. @throws DomainError `too-many` */
    accountChange: (userId: string): Promise<void> =>
      take(
        { key: limitKey('account-change', userId), max: 1000, windowMs: HOUR },
        'Too many changes of the account, please try again later',
      ),

    /** Changes of the own address, including rejected ones. @throws DomainError `too-many` */
    addressChange: (userId: string): Promise<void> =>
      take(
        { key: limitKey('address-change', userId), max: 5, windowMs: HOUR },
        'Too many changes of the email address, please try again later',
      ),

    /**
     * Whether a recovery mail may be sent to an address: one a minute and five an hour per requesting network, and ten
     * an hour for all unfamiliar networks, so that strangers cannot block the owner.
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

    /** Invitations to an address. @throws DomainError `too-many` */
    invitation: (tx: Tx, emailKey: string): Promise<void> =>
      take(
        { key: limitKey('invitation', emailKey), max: 10, windowMs: HOUR },
        'Too many invitations to this address, please try again later',
        tx,
      ),

    /** Whether to audit another invalid token, so that made-up tokens cannot fill the audit log. */
    async invalidTokenEntry(tx: Tx, ip: string): Promise<boolean> {
      return hasUseOfEach(tx, [{ key: limitKey('invalid-token', addressBlock(ip)), max: 30, windowMs: 15 * MINUTE }])
    },

    /** Whether a notice of this kind may be sent to an address: one a minute, five an hour. */
    noticeMail: (tx: Tx, kind: string, emailKey: string): Promise<boolean> =>
      hasUseOfEach(tx, [
        { key: limitKey('notice-minute', kind, emailKey), max: 1, windowMs: MINUTE },
        { key: limitKey('notice-hour', kind, emailKey), max: 5, windowMs: HOUR },
      ]),
  }
}
