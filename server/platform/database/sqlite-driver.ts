import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteDriver,
  type SqliteDialectConfig,
} from 'kysely'
import { requireNoTransaction } from './in-transaction.ts'
import { type Observed, type ReleaseConnection, SharedConnection } from './shared-connection.ts'

/**
 * Uses one connection for one statement or transaction at a time. While another process writes, it waits between
 * attempts, so that reads can run. SQLite's own timeout would block this process.
 */
export class PatientSqliteDriver extends SqliteDriver {
  private readonly observed: Observed
  private shared: SharedConnection | undefined

  constructor(config: SqliteDialectConfig, observed: Observed) {
    super(config)
    this.observed = observed
  }

  override async acquireConnection(): Promise<PatientConnection> {
    requireNoTransaction(this.observed.waits)
    this.shared ??= new SharedConnection(await super.acquireConnection(), this.observed)
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

class PatientConnection implements DatabaseConnection {
  private readonly shared: SharedConnection
  private release: ReleaseConnection | undefined
  private isOver = false

  constructor(shared: SharedConnection) {
    this.shared = shared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // The work of a transaction that took too long may still run.
    if (this.isOver) throw new Error('The transaction has ended')
    if (!this.release) return this.shared.runAlone(query)
    await this.shared.giveWay()
    return this.shared.run(query)
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

  /** Does nothing after a commit, because a commit that fails has already rolled back. */
  async rollback(): Promise<void> {
    if (this.release) await this.shared.rollback(this.takeRelease())
  }

  private takeRelease(): ReleaseConnection {
    const { release = () => {} } = this
    this.release = undefined
    this.isOver = true
    return release
  }
}
