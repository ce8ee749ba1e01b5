/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** At least 0 and below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  /** One of these, each as often as its weight says. */
  pick<T>(weighted: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of weighted) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('Nothing to pick from')
  }
}
