import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { emailKey as keyOfAddress } from '../platform/lib/email-address.ts'
import { addressBlock, addressBlocks } from '../platform/lib/network-address.ts'
import type { SessionActor } from '../users/access.ts'
import { isKnownNetwork } from './known-networks.ts'
import { limitKey } from './key.ts'
import { deleteUsages, findUsages, type Limit, settleUse, takeUse } from './queries.ts'
import { MAX_COUNT, tooMany } from './rules.ts'

// Limits of guesses at passwords: docs/decisions/0013-limits-with-reserved-uses.md. Wrong ones are limited per account
// and network, per account for all unknown networks, and per network. Unknown accounts count like known ones.

const MINUTE = 60_000

/** The number and length of waits for pending guesses, which may turn out not to count: the time of a few hashes. */
const WAIT_ROUNDS = 20
const WAIT_MS = 50

export type Guess = Awaited<ReturnType<typeof beginGuess>>

/** A limit with the result of guesses that counts. Each guess first reserves a use. */
interface GuessLimit extends Limit {
  counts: 'wrong' | 'right'
}

/** @throws DomainError `too-many` */
export async function guessAtLogIn(context: Context, emailKey: string, ip: string): Promise<Guess> {
  const isKnown = await isKnownNetwork(context, context.store.db, emailKey, ip)
  const account = await partsOf(context, emailKey)
  const everywhere = { key: limitKey('guess', ...account), max: 50, windowMs: 60 * MINUTE, counts: 'wrong' } as const
  return beginGuess(context, [...ofAccount(account, ip), ...(isKnown ? [] : [everywhere]), ...ofBlocks(ip)])
}

/**
 * Counts by session, so that a stolen session does not lock out the owner, and by the account's id, which does not
 * change with the address.
 * @throws DomainError `too-many`
 */
export async function guessAtOwnPassword(context: Context, { user, sessionId, ip }: SessionActor): Promise<Guess> {
  const limits = [
    { key: limitKey('own-password', user.id, sessionId), max: 10, windowMs: 15 * MINUTE },
    { key: limitKey('own-password-day', user.id, sessionId), max: 40, windowMs: 24 * 60 * MINUTE },
    { key: limitKey('own-password', user.id), max: 20, windowMs: 15 * MINUTE },
  ].map((limit): GuessLimit => ({ ...limit, counts: 'wrong' }))
  const account = await partsOf(context, keyOfAddress(user.email))
  return beginGuess(context, [...limits, ...ofAccount(account, ip), ...ofBlocks(ip)])
}

/** Ends the waits of an account after wrong passwords, on all networks. Its sessions must have ended. */
export async function forgiveGuesses({ store, now }: Context, user: { id: string; email: string }): Promise<void> {
  await takeUse(store.db, ofForgiving(keyOfAddress(user.email)), now(), 'used')
  await deleteUsages(store.db, [limitKey('own-password', user.id)])
}

/** As long as the longest window of guesses at a log-in. */
const ofForgiving = (emailKey: string) => ({
  key: limitKey('forgiven', emailKey),
  max: MAX_COUNT,
  windowMs: 60 * MINUTE,
})

/** The account in the keys of its limits. Forgiven guesses have other keys, as their networks are not known. */
async function partsOf({ store, now }: Context, emailKey: string): Promise<string[]> {
  const { key } = ofForgiving(emailKey)
  const forgiven = (await findUsages(store.db, [key], now())).get(key)
  return forgiven ? [emailKey, `forgiven ${forgiven.used}, ${forgiven.endsAt}`] : [emailKey]
}

async function beginGuess(context: Context, limits: readonly GuessLimit[]) {
  const { store, now } = context
  let reserved: { limit: GuessLimit; startedAt: number }[] = []

  /** @returns the first limit that is used up by finished guesses */
  async function findUsedUp(): Promise<GuessLimit | undefined> {
    const keys = limits.map(({ key }) => key)
    const usages = await findUsages(store.db, keys, now())
    return limits.find(({ key, max }) => (usages.get(key)?.used ?? 0) >= max)
  }

  const refusal = (limit: GuessLimit) =>
    tooMany(context, store.db, limit, 'Too many failed attempts, please try again later')

  /** Reserves a use of every limit, or of none. @returns the limit without a use left, if any */
  async function tryToReserve(): Promise<GuessLimit | undefined> {
    try {
      await store.transaction(async (tx) => {
        reserved = []
        for (const limit of limits) {
          const use = await takeUse(tx, limit, now(), 'pending')
          if (!use) throw new NothingLeft(limit)
          reserved.push({ limit, startedAt: use.startedAt })
        }
      })
      return undefined
    } catch (error) {
      reserved = []
      if (error instanceof NothingLeft) return error.limit
      throw error
    }
  }

  const usedUp = await findUsedUp()
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
        const known = await findUsedUp()
        if (known || round === WAIT_ROUNDS) throw await refusal(known ?? full)
        await sleep(WAIT_MS)
      }
    },

    async settle(db: Db, result: GuessLimit['counts'] | 'unknown'): Promise<void> {
      for (const { limit, startedAt } of reserved) {
        await settleUse(db, limit.key, startedAt, limit.counts === result)
      }
    },

    /** Releases a guess without a result. If the database is unavailable, the use expires with its window. */
    async giveBack(): Promise<void> {
      await this.settle(store.db, 'unknown').catch(() => undefined)
    },
  }
}

// Limits of an account come before shared ones of networks. The fixed order prevents deadlocks.

function ofAccount(account: string[], ip: string): GuessLimit[] {
  return [
    ...perBlock(ip, { max: 10, name: 'guess', of: account }),
    // Successful log-ins are limited, too, as each costs a hash.
    { key: limitKey('log-in', addressBlock(ip), ...account), max: 100, windowMs: 15 * MINUTE, counts: 'right' },
  ]
}

function ofBlocks(ip: string): GuessLimit[] {
  return perBlock(ip, { max: 100, name: 'guesses', of: [] })
}

/**
 * Wider IPv6 networks have higher limits: twice as many wrong guesses for a /56 and four times for a /48 as for a /64.
 */
function perBlock(ip: string, limit: { max: number; name: string; of: string[] }): GuessLimit[] {
  return addressBlocks(ip).map((block, width) => ({
    key: limitKey(limit.name, block, ...limit.of),
    max: limit.max * 2 ** width,
    windowMs: 15 * MINUTE,
    counts: 'wrong',
  }))
}

class NothingLeft extends Error {
  readonly limit: GuessLimit

  constructor(limit: GuessLimit) {
    super('A limit is used up')
    this.limit = limit
  }
}
