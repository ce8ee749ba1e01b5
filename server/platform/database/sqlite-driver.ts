import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteDriver,
  type SqliteDialectConfig,
} from 'kysely'
import { isBusy } from './faults.ts'
import { countWait, type Waits } from './waits.ts'

export const BUSY_TIMEOUT_MS = 5_000
const BUSY_FIRST_RETRY_MS = 10
const BUSY_LAST_RETRY_MS = 100
/** How long a sequence of queries may run before it yields to the event loop. */
const MAX_CHAIN_MS = 10

/** Releases the connection for the next in the queue. */
type Release = () => void

/** What the driver needs to know about its database. */
interface Observed {
  isInTransaction: () => boolean
  /** Called often, when no transaction is open. */
  onIdle: () => void
  /** Ends the other uses of the database. */
  beforeClose: () => Promise<void> | undefined
}

/**
 * One connection, used for one statement or transaction at a time. While another process (a second server, an
 * operator's command) writes, it waits between them, so that reads can run, and without SQLite's own timeout, which
 * would block the process.
 */
export class PatientSqliteDriver extends SqliteDriver {
  private readonly observed: Observed
  private readonly waits: Waits
  private shared: SharedConnection | undefined

  constructor(config: SqliteDialectConfig, observed: Observed, waits: Waits) {
    super(config)
    this.observed = observed
    this.waits = waits
  }

  override async acquireConnection(): Promise<PatientConnection> {
    this.shared ??= new SharedConnection(await super.acquireConnection(), this.observed, this.waits)
    return new PatientConnection(this.shared)
  }

  override async releaseConnection(): Promise<void> {}

  override async beginTransaction(connection: PatientConnection): Promise<void> {
    await connection.begin()
  }

  override async commitTransaction(connection: PatientConnection): Promise<void> {
    await connection.commit()
  }

  override async rollbackTransaction(connection: PatientConnection): Promise<void> {
    await connection.rollback()
  }

  override async destroy(): Promise<void> {
    await this.shared?.commitGroup()
    await this.observed.beforeClose()
    await super.destroy()
  }
}

/**
 * Transactions that end in the same iteration of the event loop are committed together, so that they share one sync to
 * the disk: they are savepoints of one transaction of SQLite, the group. Each is acknowledged after the commit of its
 * group. A statement that runs while a group is open waits for that commit, too, so that nobody sees what could be lost.
 */
class SharedConnection {
  private readonly connection: DatabaseConnection
  private readonly observed: Observed
  private readonly waits: Waits
  private group: PromiseWithResolvers<void> | undefined
  private lastSlot: Promise<void> = Promise.resolve()
  private pausedAt = performance.now()

  constructor(connection: DatabaseConnection, observed: Observed, waits: Waits) {
    this.connection = connection
    this.observed = observed
    this.waits = waits
  }

  /** Runs a statement that is not part of a transaction. */
  async runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const first = await this.runInQueue<R>(query)
    try {
      await first.group
      return first.result
    } catch {
      // The group was rolled back, and the statement with it.
      return (await this.runInQueue<R>(query, { afterGroup: true })).result
    }
  }

  private runInQueue<R>(query: CompiledQuery, { afterGroup = false } = {}) {
    return whileBusy(async () => {
      const release = await this.acquire()
      try {
        if (afterGroup) await this.endGroup()
        const result = await this.run<R>(query)
        if (!this.group) this.observed.onIdle()
        return { result, group: this.group?.promise }
      } finally {
        release()
      }
    })
  }

  /** @returns a function that releases the connection */
  async begin(): Promise<Release> {
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

  /** Takes the write lock at once, because a transaction that reads first could fail at its first write. */
  private async beginGroup(): Promise<void> {
    await this.run(CompiledQuery.raw('begin immediate'))
    this.group = Promise.withResolvers()
    // Nobody waits for a group whose transactions were all rolled back.
    this.group.promise.catch(() => {})
    setImmediate(() => void this.commitGroup())
  }

  /** Releases the connection. @throws the error of the group's commit */
  async commit(release: Release): Promise<void> {
    try {
      await this.run(CompiledQuery.raw('release work'))
    } finally {
      release()
    }
    await this.group?.promise
  }

  /** Releases the connection. After a full or failed disk, SQLite has already rolled back the whole group. */
  async rollback(release: Release): Promise<void> {
    try {
      if (!this.observed.isInTransaction()) return
      await this.run(CompiledQuery.raw('rollback to work'))
      await this.run(CompiledQuery.raw('release work'))
    } finally {
      release()
    }
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
      if (!this.observed.isInTransaction()) this.failGroup(error)
      throw error
    }
  }

  private failGroup(error: unknown): void {
    this.group?.reject(error)
    this.group = undefined
  }

  private acquire(): Promise<Release> {
    return countWait(this.waits, () => this.waitForSlot())
  }

  private async waitForSlot(): Promise<Release> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.lastSlot
    this.lastSlot = promise
    await before
    // A sequence of queries would block the event loop, as the driver is synchronous.
    if (performance.now() - this.pausedAt > MAX_CHAIN_MS) {
      await nextIteration()
      this.pausedAt = performance.now()
    }
    return resolve
  }
}

/** The connection as one statement or transaction uses it. */
class PatientConnection implements DatabaseConnection {
  private readonly shared: SharedConnection
  private release: Release | undefined

  constructor(shared: SharedConnection) {
    this.shared = shared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.release ? this.shared.run(query) : this.shared.runAlone(query)
  }

  /** Returns all rows at once. `Store.read` streams. */
  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async begin(): Promise<void> {
    this.release = await this.shared.begin()
  }

  async commit(): Promise<void> {
    await this.shared.commit(this.takeRelease())
  }

  /** Does nothing after a commit, whose failure has already rolled back. */
  async rollback(): Promise<void> {
    if (this.release) await this.shared.rollback(this.takeRelease())
  }

  private takeRelease(): Release {
    const { release = () => {} } = this
    this.release = undefined
    return release
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
