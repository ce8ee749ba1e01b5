import { setTimeout as sleep } from 'node:timers/promises'
import { findUsages, type Limit, settleUse, takeUse } from '../store/limits.ts'
import type { Db, Store } from '../store/store.ts'
import { emailKey as keyOfAddress } from '../lib/email-address.ts'
import { addressBlock, addressBlocks } from '../lib/network-address.ts'
import type { Actor } from './access.ts'
import { isFamiliar } from './familiar-blocks.ts'
import { limitKey } from './limit-key.ts'
import { tooMany } from './limits.ts'

const MINUTE = 60_000

/** The number and length of waits for pending guesses, which may turn out not to count: the time of a few hashes. */
const WAIT_ROUNDS = 20
const WAIT_MS = 50

export type Guesses = ReturnType<typeof createGuesses>
export type Guess = Awaited<ReturnType<Guesses['atLogIn']>>

/** A limit with the result of guesses that counts. Each guess first reserves a use. */
interface Bound extends Limit {
  counts: 'wrong' | 'right'
}

/**
 * Limits guesses at passwords: docs/decisions/0013-limits-with-reserved-uses.md. Wrong ones are limited per account and
 * network, per account for all unfamiliar networks, and per network. Unknown accounts count like known ones.
 */
export function createGuesses({ store, now }: { store: Store; now: () => number }) {
  /** @returns the first limit that is used up by finished guesses */
  async function findUsedUp(bounds: readonly Bound[]): Promise<Bound | undefined> {
    const keys = bounds.map(({ key }) => key)
    const usages = await findUsages(store.db, keys, now())
    return bounds.find(({ key, max }) => (usages.get(key)?.used ?? 0) >= max)
  }

  const refusal = (bound: Bound) => tooMany(store.db, bound, now(), 'Too many failed attempts, please try again later')

  async function begin(bounds: readonly Bound[]) {
    let reserved: { bound: Bound; startedAt: number }[] = []

    /** Reserves a use of every limit, or of none. @returns the limit without a use left, if any */
    async function tryToReserve(): Promise<Bound | undefined> {
      try {
        await store.transaction(async (tx) => {
          reserved = []
          for (const bound of bounds) {
            const startedAt = await takeUse(tx, bound, now(), 'pending')
            if (startedAt === undefined) throw new NothingLeft(bound)
            reserved.push({ bound, startedAt })
          }
        })
        return undefined
      } catch (error) {
        reserved = []
        if (error instanceof NothingLeft) return error.bound
        throw error
      }
    }

    const usedUp = await findUsedUp(bounds)
    if (usedUp) throw await refusal(usedUp)

    return {
      /**
       * Reserves the guess right before the password is hashed, so that concurrent guesses cannot exceed the limit. If
       * pending guesses fill the limit, it waits for those that turn out not to count.
       * @throws DomainError `too-many`
       */
      async reserve(): Promise<void> {
        for (let round = 1; ; round += 1) {
          const full = await tryToReserve()
          if (!full) return
          const known = await findUsedUp(bounds)
          if (known || round === WAIT_ROUNDS) throw await refusal(known ?? full)
          await sleep(WAIT_MS)
        }
      },

      async settle(db: Db, result: Bound['counts'] | 'unknown'): Promise<void> {
        for (const { bound, startedAt } of reserved) {
          await settleUse(db, bound.key, startedAt, bound.counts === result)
        }
      },

      /** Releases a guess without a result. If the database is unavailable, the use expires with its window. */
      async giveBack(): Promise<void> {
        await this.settle(store.db, 'unknown').catch(() => undefined)
      },
    }
  }

  return {
    /** @throws DomainError `too-many` */
    async atLogIn(emailKey: string, ip: string) {
      const familiar = await isFamiliar(store.db, emailKey, ip, now())
      const everywhere: Bound = { key: limitKey('guess', emailKey), max: 50, windowMs: 60 * MINUTE, counts: 'wrong' }
      return begin([...ofAccount(emailKey, ip), ...(familiar ? [] : [everywhere]), ...ofBlocks(ip)])
    },

    /**
     * Counts by session, so that a stolen session does not lock out the owner, and by the account's id, which does not
     * change with the address.
     * @throws DomainError `too-many`
     */
    async atOwnPassword({ user, sessionId, ip }: Actor) {
      const bounds = [
        { key: limitKey('own-password', user.id, sessionId), max: 10 },
        { key: limitKey('own-password', user.id), max: 20 },
      ].map((bound): Bound => ({ ...bound, windowMs: 15 * MINUTE, counts: 'wrong' }))
      return begin([...bounds, ...ofAccount(keyOfAddress(user.email), ip), ...ofBlocks(ip)])
    },
  }
}

// Limits of an account come before shared ones of networks. The fixed order prevents deadlocks.

function ofAccount(emailKey: string, ip: string): Bound[] {
  return [
    ...perBlock(ip, { max: 10, name: 'guess', of: [emailKey] }),
    // Successful log-ins are limited, too, as each costs a hash.
    { key: limitKey('log-in', addressBlock(ip), emailKey), max: 100, windowMs: 15 * MINUTE, counts: 'right' },
  ]
}

function ofBlocks(ip: string): Bound[] {
  return perBlock(ip, { max: 100, name: 'guesses', of: [] })
}

/**
 * Wider IPv6 networks have higher limits: twice as many wrong guesses for a /56 and four times for a /48 as for a /64.
 */
function perBlock(ip: string, bound: { max: number; name: string; of: string[] }): Bound[] {
  return addressBlocks(ip).map((block, width) => ({
    key: limitKey(bound.name, block, ...bound.of),
    max: bound.max * 2 ** width,
    windowMs: 15 * MINUTE,
    counts: 'wrong',
  }))
}

class NothingLeft extends Error {
  readonly bound: Bound

  constructor(bound: Bound) {
    super('A limit is used up')
    this.bound = bound
  }
}
