import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import { isBusy } from './errors.ts'
import { countWait, type Waits } from './waits.ts'

export const BUSY_TIMEOUT_MS = 5_000
const BUSY_FIRST_RETRY_MS = 10
const BUSY_LAST_RETRY_MS = 100
/** How long a sequence of queries may run before it yields to the event loop. */
const MAX_CHAIN_MS = 10

export type ReleaseConnection = () => void

export interface Observed {
  waits: Waits
  isInTransaction: () => boolean
  /** Called before each use. */
  onUse: () => void
  /** Called often, when no transaction is open. */
  onIdle: () => void
  /** Replaces an error of SQLite by the one to throw. */
  explain: (error: unknown) => unknown
  beforeClose: () => Promise<void> | undefined
}

/**
 * Transactions that end in the same iteration of the event loop share one sync to the disk. They are savepoints of one
 * SQLite transaction, the group, and end after its commit. A statement outside of transactions also waits for this
 * commit, so that nobody sees changes that could still be lost.
 */
export class SharedConnection {
  private readonly connection: DatabaseConnection
  private readonly observed: Observed
  private group: PromiseWithResolvers<void> | undefined
  private lastSlot: Promise<void> = Promise.resolve()
  private pausedAt = performance.now()

  constructor(connection: DatabaseConnection, observed: Observed) {
    this.connection = connection
    this.observed = observed
  }

  async runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const first = await this.runInQueue<R>(query)
    try {
      await first.group
      return first.result
    } catch {
      // The group was rolled back together with the statement, which is therefore repeated.
      return (await this.runInQueue<R>(query, { afterGroup: true })).result
    }
  }

  private runInQueue<R>(query: CompiledQuery, { afterGroup = false } = {}) {
    return whileBusy(async () => {
      const release = await this.acquire()
      try {
        if (afterGroup) await this.endGroup()
        const result = await this.run<R>(query).catch(async (error: unknown) => {
          if (!this.group) throw error
          // Other transactions of the group may have caused the error.
          await this.endGroup()
          return this.run<R>(query)
        })
        if (!this.group) this.observed.onIdle()
        return { result, group: this.group?.promise }
      } finally {
        release()
      }
    })
  }

  async begin(): Promise<ReleaseConnection> {
    return whileBusy(async () => {
      const release = await this.acquire()
      try {
        if (!this.group) await this.beginGroup()
        await this.run(CompiledQuery.raw('savepoint work'))
        return release
      } catch (error) {
        release()
        throw error
      }
    })
  }

  /** Takes the write lock at once: a transaction that reads first could fail at its first write. */
  private async beginGroup(): Promise<void> {
    await this.run(CompiledQuery.raw('begin immediate'))
    this.group = Promise.withResolvers()
    // The commit may fail before anybody waits for it.
    this.group.promise.catch(() => {})
    setImmediate(() => void this.commitGroup())
  }

  async commit(release: ReleaseConnection): Promise<void> {
    try {
      await this.run(CompiledQuery.raw('release work'))
    } finally {
      release()
    }
    await this.group?.promise
  }

  /** SQLite rolls back the whole group after a disk failure. @throws the error of the group's commit */
  async rollback(release: ReleaseConnection): Promise<void> {
    try {
      if (!this.observed.isInTransaction()) return
      await this.run(CompiledQuery.raw('rollback to work'))
      await this.run(CompiledQuery.raw('release work'))
    } finally {
      release()
    }
    await this.group?.promise
  }

  async commitGroup(): Promise<void> {
    const release = await this.waitForSlot()
    await this.endGroup()
    release()
  }

  private async endGroup(): Promise<void> {
    if (!this.group) return
    try {
      await this.run(CompiledQuery.raw('commit'))
      this.group.resolve()
      this.group = undefined
      this.observed.onIdle()
    } catch (error) {
      if (this.observed.isInTransaction()) await this.run(CompiledQuery.raw('rollback')).catch(() => {})
      this.failGroup(error)
    }
  }

  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.connection.executeQuery<R>(query)
    } catch (error) {
      const explained = this.observed.explain(error)
      if (!this.observed.isInTransaction()) this.failGroup(explained)
      throw explained
    }
  }

  private failGroup(error: unknown): void {
    this.group?.reject(error)
    this.group = undefined
  }

  private acquire(): Promise<ReleaseConnection> {
    return countWait(this.observed.waits, () => this.waitForSlot())
  }

  private async waitForSlot(): Promise<ReleaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.lastSlot
    this.lastSlot = promise
    await before
    this.observed.onUse()
    await this.giveWay()
    return resolve
  }

  /** The driver is synchronous, so a sequence of queries would block the event loop. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.pausedAt <= MAX_CHAIN_MS) return
    await nextIteration()
    this.pausedAt = performance.now()
  }
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (let wait = BUSY_FIRST_RETRY_MS; ; wait = Math.min(wait * 2, BUSY_LAST_RETRY_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(Math.random() * wait)
    }
  }
}
