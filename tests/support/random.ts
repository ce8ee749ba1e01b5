import { seededRandom } from '../../scripts/seed/random.ts'

export type Random = ReturnType<typeof createRandom>

/** A pseudo-random generator. The same seed gives the same choices, so that failures can be reproduced. */
export function createRandom(seed: number) {
  /** At least 0 and below 1. */
  const next = seededRandom(String(seed))
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    between: (from: number, to: number): number => from + next() * (to - from),
    chance: (share: number): boolean => next() < share,

    pick: <T>(list: readonly T[]): T => {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new Error('There is nothing to pick from')
      return chosen
    },

    pickWeighted: <T>(weighted: readonly (readonly [weight: number, value: T])[]): T => {
      let left = next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of weighted) {
        left -= weight
        if (left < 0) return value
      }
      throw new Error('There is nothing to pick from')
    },
  }
}
