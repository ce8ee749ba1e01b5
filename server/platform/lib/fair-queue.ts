import { serverBusy } from '../errors.ts'

interface Waiting {
  start: () => void
  refuse: (reason: unknown) => void
}

export interface QueueOptions {
  parallel: number
  perGroup?: number
  maxWaiting: number
  maxWaitMs?: number
}

export type FairQueue = ReturnType<typeof createFairQueue>

/**
 * Limits parallel work. The rest waits in one line per group, and the lines alternate. When too many wait, the newest
 * entry of the longest line is rejected, so that one group cannot block the others.
 */
export function createFairQueue({ parallel, perGroup = parallel, maxWaiting, maxWaitMs }: QueueOptions) {
  /** The line of each group. A group moves to the end of the map when one of its entries starts. */
  const lines = new Map<string, Waiting[]>()
  const running = new Map<string, number>()
  let allRunning = 0
  let waiting = 0

  const mayStart = (group: string): boolean => allRunning < parallel && (running.get(group) ?? 0) < perGroup

  /** Makes room for one more in the line. @throws DomainError `busy` when the line is the longest */
  function makeRoom(group: string): void {
    if (waiting < maxWaiting) return
    const own = (lines.get(group)?.length ?? 0) + 1
    const length = Math.max(...[...lines.values()].map((line) => line.length))
    if (length < own) throw serverBusy()
    // A random one of equally long lines is rejected, so that many small groups do not always reject a new one.
    const longest = [...lines.values()].filter((line) => line.length === length)
    if (length === own && Math.random() * (longest.length + 1) < 1) throw serverBusy()
    longest[Math.floor(Math.random() * longest.length)]?.at(-1)?.refuse(serverBusy())
  }

  async function wait(group: string, signal: AbortSignal | undefined): Promise<void> {
    makeRoom(group)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { start: resolve, refuse }
    const line = lines.get(group) ?? []
    lines.set(group, line)
    line.push(entry)
    waiting += 1
    function refuse(reason: unknown): void {
      remove(group, entry)
      reject(reason)
    }
    const onAbort = (): void => refuse(signal?.reason)
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => refuse(serverBusy()), maxWaitMs)
    signal?.addEventListener('abort', onAbort)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  function remove(group: string, entry: Waiting): void {
    const line = lines.get(group)
    const index = line?.indexOf(entry) ?? -1
    if (!line || index < 0) return
    line.splice(index, 1)
    waiting -= 1
    if (line.length === 0) lines.delete(group)
  }

  function begin(group: string): void {
    allRunning += 1
    running.set(group, (running.get(group) ?? 0) + 1)
  }

  function end(group: string): void {
    allRunning -= 1
    const left = (running.get(group) ?? 0) - 1
    if (left > 0) running.set(group, left)
    else running.delete(group)
    startNext()
  }

  function startNext(): void {
    const [next, [entry] = []] = [...lines].find(([group]) => mayStart(group)) ?? []
    if (next === undefined || !entry) return
    const line = lines.get(next)
    remove(next, entry)
    if (line && line.length > 0) {
      lines.delete(next)
      lines.set(next, line)
    }
    begin(next)
    entry.start()
  }

  /**
   * @returns a function that frees the place
   * @throws DomainError `busy` when too many are waiting, or the wait took too long
   */
  async function acquire(group: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (mayStart(group)) begin(group)
    else await wait(group, signal)
    let isIn = true
    return () => {
      if (isIn) end(group)
      isIn = false
    }
  }

  return {
    load: (): { running: number; waiting: number } => ({ running: allRunning, waiting }),
    acquire,

    /** Runs work when it gets a place. @throws DomainError `busy` like `acquire` */
    async run<T>(group: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const release = await acquire(group, signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
