import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from './errors.ts'

/** OWASP's minimum for argon2id (the algorithm is the library's default): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes that may wait for each core; the last one in the queue waits about a second. */
const WAITING_PER_CORE = 32

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashing, at most as many at once as the machine has cores: each takes a core for tens of milliseconds and 19 MiB,
 * and the rest of the server has to go on answering.
 */
export function createPasswords(cores = availableParallelism()) {
  const waiting: (() => void)[] = []
  let running = 0
  /** Made once, and checked against when an address is unknown, so that the answer takes as long as for a known one. */
  let decoy: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < cores) running += 1
    else if (waiting.length >= cores * WAITING_PER_CORE)
      throw new Refusal('busy', 'The server is busy, please try again', 2)
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    /** @throws Refusal `busy` when too many are waiting */
    hash: (password: string): Promise<string> => inTurn(() => hash(password, parameters)),

    /**
     * Takes the same time whether there is a hash to compare with or not.
     * @throws Refusal `busy` when too many are waiting
     */
    async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
      return inTurn(async () => {
        decoy ??= hash('no password hashes to this', parameters)
        const matched = await verify(passwordHash ?? (await decoy), password)
        return matched && passwordHash !== undefined
      })
    },
  }
}
