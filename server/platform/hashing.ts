import { availableParallelism } from 'node:os'
import { hash, verify as verifyHash } from '@node-rs/argon2'
import { createFairQueue } from './lib/fair-queue.ts'
import { passwordForm } from './lib/password-form.ts'

/** The cost of a hash: KiB of memory, and passes over it. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
export const HASH_COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** How many hashes may wait: about as many as a core computes in a second, and more on small machines. */
const WAITING_PER_CORE = 32
const WAITING_AT_LEAST = 64

export type Hashing = ReturnType<typeof createHashing>

/** `outdated`: the password is right, but its hash has a lower cost than new hashes, or is not of `passwordForm`. */
export type PasswordCheck = 'right' | 'outdated' | 'wrong'

/** Hashes passwords, as many in parallel as there are cores: each takes a core for tens of milliseconds, and 19 MiB. */
export function createHashing(options: { cost?: HashCost; cores?: number; verify?: typeof verifyHash } = {}) {
  const { cost = HASH_COST, cores = availableParallelism(), verify = verifyHash } = options
  const parameters = { ...cost, parallelism: 1 }
  const queue = createFairQueue({ parallel: cores, maxWaiting: Math.max(WAITING_AT_LEAST, cores * WAITING_PER_CORE) })
  /** The hash that is compared if no account has the email address, so that the response takes as long. */
  let decoy: Promise<string> | undefined

  return {
    load: queue.load,

    /** @param group waiting groups take turns @throws DomainError `busy` when too many are waiting */
    hash: (password: string, group: string): Promise<string> =>
      queue.run(group, () => hash(passwordForm(password), parameters)),

    /**
     * Takes the same time with and without a hash, and for right and wrong passwords.
     * @param group waiting groups take turns
     * @param beforeHashing runs right before hashing; when it throws, nothing is hashed
     * @throws DomainError `busy` when too many are waiting
     */
    async check(
      password: string,
      passwordHash: string | undefined,
      group: string,
      beforeHashing: () => Promise<void> = async () => {},
    ): Promise<PasswordCheck> {
      return queue.run(group, async () => {
        await beforeHashing()
        decoy ??= hash('no password hashes to this', parameters)
        const compared = passwordHash ?? (await decoy)
        const form = passwordForm(password)
        const isRight = await verify(compared, form)
        // Earlier versions hashed passwords as they were typed.
        const isRightAsTyped = form !== password && (await verify(compared, password))
        if (passwordHash === undefined || !(isRight || isRightAsTyped)) return 'wrong'
        return isRight && !isCheap(passwordHash, cost) ? 'right' : 'outdated'
      })
    },
  }
}

function isCheap(passwordHash: string, cost: HashCost): boolean {
  const [, algorithm, memory, time] = /^\$(\w+)\$v=\d+\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? []
  return algorithm !== 'argon2id' || Number(memory) < cost.memoryCost || Number(time) < cost.timeCost
}
