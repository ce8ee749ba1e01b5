import { type DomainError, serverBusy } from './errors.ts'

type Start = (reason?: DomainError) => void

/**
 * Limits parallel work. The rest waits in one line per group, and the lines take turns. When all places are taken, the
 * newest entry of the longest line is rejected, so that one group cannot block the others.
 */
export function createFairQueue({ parallel, maxWaiting }: { parallel: number; maxWaiting: number }) {
  /** A group moves to the end after its turn. */
  const lines = new Map<string, Start[]>()
  let running = 0
  let waiting = 0

  function wait(group: string): Promise<void> {
    const line = lines.get(group) ?? []
    if (waiting >= maxWaiting) {
      const length = Math.max(...[...lines.values()].map((other) => other.length))
      if (length < line.length + 1) throw serverBusy()
      // A random one of equally long lines is rejected, so that many small groups do not always reject a new one.
      const longest = [...lines].filter(([, other]) => other.length === length)
      const [name, loser] = longest[Math.floor(Math.random() * longest.length)] ?? [group, line]
      if (length === line.length + 1 && Math.random() * (longest.length + 1) < 1) throw serverBusy()
      loser.pop()?.(serverBusy())
      if (loser.length === 0) lines.delete(name)
      waiting -= 1
    }
    waiting += 1
    lines.set(group, line)
    return new Promise((resolve, reject) => line.push((reason) => (reason ? reject(reason) : resolve())))
  }

  function startNext(): void {
    const [next] = lines
    if (!next) {
      running -= 1
      return
    }
    const [group, line] = next
    const start = line.shift()
    lines.delete(group)
    if (line.length > 0) lines.set(group, line)
    waiting -= 1
    start?.()
  }

  return {
    load: (): { running: number; waiting: number } => ({ running, waiting }),

    /** @throws DomainError `busy` when too many are waiting */
    async run<T>(group: string, work: () => Promise<T>): Promise<T> {
      if (running < parallel) running += 1
      else await wait(group)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
