import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteDialect,
} from 'kysely'
import type { ReaderAnswer, ReaderRequest } from './sqlite-reader-thread.ts'

/** A query fails after this time. It cannot be interrupted, so its thread is only reused when it has finished. */
const TIMEOUT_MS = 10_000
/** The number of parallel queries that server/domain/long-reads.ts allows. */
const MAX_THREADS = 6

type Row = Record<string, unknown>

/**
 * Read-only connections in separate threads, so that long queries do not block the main thread. Without a free thread,
 * a query fails as on a busy database.
 */
export function sqliteReaderDialect(file: string, { timeoutMs = TIMEOUT_MS } = {}): Dialect {
  const base = new SqliteDialect({ database: () => Promise.reject(new Error('Never opened here')) })
  return {
    createAdapter: () => base.createAdapter(),
    createDriver: () => new ReaderDriver(file, timeoutMs),
    createIntrospector: (db) => base.createIntrospector(db),
    createQueryCompiler: () => base.createQueryCompiler(),
  }
}

class ReaderDriver implements Driver {
  private readonly file: string
  private readonly timeoutMs: number
  private readonly free: ReaderConnection[] = []
  private readonly all = new Set<ReaderConnection>()

  constructor(file: string, timeoutMs: number) {
    this.file = file
    this.timeoutMs = timeoutMs
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ReaderConnection> {
    const known = this.free.pop()
    if (known) return known
    if (this.all.size >= MAX_THREADS) throw unavailable('All reader threads are busy')
    const connection = new ReaderConnection(this.file, this.timeoutMs, () => this.all.delete(connection))
    this.all.add(connection)
    return connection
  }

  async releaseConnection(connection: ReaderConnection): Promise<void> {
    // Does not wait, as a query that timed out may still run.
    void this.reuse(connection)
  }

  private async reuse(connection: ReaderConnection): Promise<void> {
    await connection.idle()
    if (this.all.has(connection)) this.free.push(connection)
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.all].map((connection) => connection.end()))
  }

  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
}

async function refuse(): Promise<never> {
  throw new Error('A reader has no transactions')
}

class ReaderConnection implements DatabaseConnection {
  private readonly worker: Worker
  private readonly timeoutMs: number
  private pending: PromiseWithResolvers<Row[]> | undefined
  private failure: Error | undefined

  constructor(file: string, timeoutMs: number, onEnd: () => void) {
    this.timeoutMs = timeoutMs
    this.worker = new Worker(new URL('sqlite-reader-thread.ts', import.meta.url), { workerData: file })
    this.worker.unref()
    this.worker.on('message', (answer: ReaderAnswer) => this.settle(answer))
    this.worker.on('error', (error: Error) => {
      this.failure = error
    })
    this.worker.on('exit', () => {
      onEnd()
      this.failure ??= unavailable('The reader thread has exited')
      this.pending?.reject(this.failure)
    })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: (await this.ask({ kind: 'all', sql, parameters })) as R[] }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery, rows = 1): AsyncGenerator<QueryResult<R>> {
    try {
      await this.ask({ kind: 'open', sql, parameters })
      for (;;) {
        const part = await this.ask({ kind: 'next', rows })
        if (part.length === 0) return
        yield { rows: part as R[] }
      }
    } finally {
      await this.idle()
      await this.ask({ kind: 'close' })
    }
  }

  /** Waits for a query that has timed out. */
  async idle(): Promise<void> {
    await this.pending?.promise.catch(() => undefined)
  }

  async end(): Promise<void> {
    await this.worker.terminate()
  }

  private async ask(request: ReaderRequest): Promise<Row[]> {
    if (this.failure) throw this.failure
    const pending = Promise.withResolvers<Row[]>()
    this.pending = pending
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.worker.postMessage(request)
    // Keeps the process alive until the response.
    this.worker.ref()
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(unavailable('A query took too long')), this.timeoutMs)
    try {
      return await Promise.race([pending.promise, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  private settle(answer: ReaderAnswer): void {
    this.worker.unref()
    const { pending } = this
    this.pending = undefined
    if ('rows' in answer) pending?.resolve(answer.rows)
    else pending?.reject(Object.assign(new Error(answer.message), { code: answer.code }))
  }
}

/** Has the code of a busy database, and so the same HTTP response. */
function unavailable(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_BUSY' })
}
