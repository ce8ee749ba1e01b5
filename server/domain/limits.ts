import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findUsage, type Limit, settleUse, takeUse } from '../store/limits.ts'
import type { Db, Store } from '../store/store.ts'
import { addressBlock } from './address-block.ts'
import { Refusal } from './errors.ts'

const MINUTE = 60_000

/** How long somebody waits for guesses under way elsewhere that may turn out not to count: a few hashes' time. */
const WAIT_ROUNDS = 20
const WAIT_MS = 50

export type Limits = ReturnType<typeof createLimits>
export type Guess = ReturnType<Limits['guess']>

/** How often things may be done. The counters are in the database: several servers share them, and they survive a restart. */
export function createLimits(options: { store: Store; signupsPerHour: number; now: () => number }) {
  const { store, signupsPerHour, now } = options

  /** @throws Refusal `too-many` */
  async function take(limit: Limit, message: string): Promise<void> {
    if ((await takeUse(store.db, limit, now(), 'used')) === undefined) {
      throw new Refusal('too-many', message, { retryAfter: await secondsLeft(limit) })
    }
  }

  async function secondsLeft(limit: Limit): Promise<number> {
    const usage = await findUsage(store.db, limit.key, now())
    return Math.max(1, Math.ceil(((usage?.endsAt ?? now()) - now()) / 1000))
  }

  async function tooManyGuesses(limit: Limit): Promise<Refusal> {
    const retryAfter = await secondsLeft(limit)
    return new Refusal('too-many', 'Too many failed attempts, please try again later', { retryAfter })
  }

  return {
    /** @throws Refusal `too-many` */
    signUp: (ip: string): Promise<void> =>
      take(
        { key: keyOf('sign-up', addressBlock(ip)), max: signupsPerHour, windowMs: 60 * MINUTE },
        'Too many sign-ups from this address, please try again later',
      ),

    /** @throws Refusal `too-many` */
    recovery: (ip: string): Promise<void> =>
      take(
        { key: keyOf('recovery', addressBlock(ip)), max: 30, windowMs: 5 * MINUTE },
        'Too many requests from this address, please try again later',
      ),

    /** Whether one more recovery mail may go to an address: one a minute, five an hour. Whoever asks is not told. */
    async recoveryMail(db: Db, emailKey: string): Promise<boolean> {
      const perMinute = { key: keyOf('recovery-minute', emailKey), max: 1, windowMs: MINUTE }
      const perHour = { key: keyOf('recovery-hour', emailKey), max: 5, windowMs: 60 * MINUTE }
      if ((await takeUse(db, perMinute, now(), 'used')) === undefined) return false
      return (await takeUse(db, perHour, now(), 'used')) !== undefined
    },

    /**
     * A guess at a password. Only wrong ones count: 10 in 15 minutes for an account from one address block, 100 for the
     * block. Nobody is locked out elsewhere by somebody else's guesses, and unknown accounts are counted like known ones.
     */
    guess(emailKey: string, ip: string) {
      const block = addressBlock(ip)
      // The account's counter before the block's, which others share: in one order, nobody waits in a circle.
      const bounds: Limit[] = [
        { key: keyOf('guess', block, emailKey), max: 10, windowMs: 15 * MINUTE },
        { key: keyOf('guesses', block), max: 100, windowMs: 15 * MINUTE },
      ]
      let reserved: { key: string; startedAt: number }[] = []

      /** @returns the limit that is in the way, if any, and then nothing is reserved */
      async function tryToReserve(): Promise<Limit | undefined> {
        try {
          await store.transaction(async (tx) => {
            reserved = []
            for (const limit of bounds) {
              const startedAt = await takeUse(tx, limit, now(), 'pending')
              if (startedAt === undefined) throw new NothingLeft(limit)
              reserved.push({ key: limit.key, startedAt })
            }
          })
          return undefined
        } catch (error) {
          reserved = []
          if (error instanceof NothingLeft) return error.limit
          throw error
        }
      }

      return {
        /** Cheap, before anything is done for the guess. @throws Refusal `too-many` */
        async requireRoom(): Promise<void> {
          for (const limit of bounds) {
            const usage = await findUsage(store.db, limit.key, now())
            if (usage && usage.used >= limit.max) throw await tooManyGuesses(limit)
          }
        },

        /**
         * Right before the password is hashed, so that of many guesses at once no more than the limit are looked at.
         * Where guesses under way elsewhere fill the limit, it waits a moment for those that turn out right.
         * @throws Refusal `too-many`
         */
        async reserve(): Promise<void> {
          for (let round = 1; ; round += 1) {
            const full = await tryToReserve()
            if (!full) return
            const usage = await findUsage(store.db, full.key, now())
            if (round === WAIT_ROUNDS || (usage && usage.used >= full.max)) throw await tooManyGuesses(full)
            await sleep(WAIT_MS)
          }
        },

        /** What became of it. @param wrong whether it counts */
        async settle(db: Db, wrong: boolean): Promise<void> {
          for (const { key, startedAt } of reserved) await settleUse(db, key, startedAt, wrong)
        },

        /** It was never answered. What cannot be given back now, because the database is away, ends with its window. */
        async giveBack(): Promise<void> {
          await this.settle(store.db, false).catch(() => undefined)
        },
      }
    },
  }
}

class NothingLeft extends Error {
  readonly limit: Limit

  constructor(limit: Limit) {
    super('A limit is used up')
    this.limit = limit
  }
}

function keyOf(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
