import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from './fair-queue.ts'

/** What a hash costs: KiB of memory and passes over it, on one lane. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/** OWASP's minimum for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
export const HASH_COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** Hashes that may wait: for each core as many as it does in about a second, and on small machines a few more. */
const WAITING_PER_CORE = 32
const WAITING_AT_LEAST = 64

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashing, at most as many at once as the machine has cores: each takes a core for tens of milliseconds and 19 MiB,
 * and the rest of the server has to go on answering.
 */
export function createPasswords(options: { cost?: HashCost; cores?: number } = {}) {
  const { cost = HASH_COST, cores = availableParallelism() } = options
  const parameters = { ...cost, parallelism: 1 }
  const queue = createFairQueue({ parallel: cores, maxWaiting: Math.max(WAITING_AT_LEAST, cores * WAITING_PER_CORE) })
  /** Made once, and checked against when an address is unknown, so that the answer takes as long as for a known one. */
  let decoy: Promise<string> | undefined

  return {
    load: queue.load,

    /** @param group who asks: groups take turns @throws DomainError `busy` when too many are waiting */
    hash: (password: string, group: string): Promise<string> => queue.run(group, () => hash(password, parameters)),

    /**
     * Takes the same time whether there is a hash to compare with or not.
     * @param passwordHash absent or empty where there is none
     * @param group who asks: groups take turns
     * @param beforeHashing runs when its turn has come; when it throws, nothing is hashed
     * @throws DomainError `busy` when too many are waiting
     */
    async matches(
      password: string,
      passwordHash: string | undefined,
      group: string,
      beforeHashing: () => Promise<void> = async () => {},
    ): Promise<boolean> {
      return queue.run(group, async () => {
        await beforeHashing()
        decoy ??= hash('no password hashes to this', parameters)
        const matched = await verify(passwordHash || (await decoy), password)
        return matched && Boolean(passwordHash)
      })
    },

    /** Whether a hash was made more cheaply than hashes are made today. */
    isOutdated(passwordHash: string): boolean {
      const [, algorithm, memory, time] = /^\$(\w+)\$v=\d+\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? []
      return algorithm !== 'argon2id' || Number(memory) < cost.memoryCost || Number(time) < cost.timeCost
    },
  }
}
