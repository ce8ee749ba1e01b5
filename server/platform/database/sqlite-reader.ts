import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../../tables.ts'
import type { Reader } from './readers.ts'
import type { ReaderRequest, ReaderResponse } from './sqlite-reader-process.ts'
import { PatientSqliteAdapter } from './sqlite.ts'

const PROGRAM = fileURLToPath(new URL('sqlite-reader-process.ts', import.meta.url))

type Row = Record<string, unknown>

/**
 * Opens a read-only connection in a process of its own, so that long queries do not block this one. SQLite's driver
 * cannot interrupt a query, so killing the process ends it.
 */
export async function openSqliteReader(file: string): Promise<Reader> {
  const child = fork(PROGRAM, [file], {
    serialization: 'advanced',
    execArgv: [],
    // This variable would make `node --watch` mix its own messages into those of the program.
    env: { ...process.env, WATCH_REPORT_DEPENDENCIES: undefined },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // This throws if the process could not start, before `ReaderConnection` uses its missing channel.
  await once(child, 'spawn')
  const connection = new ReaderConnection(child)
  const dialect = {
    createAdapter: () => new PatientSqliteAdapter(),
    createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: async () => connection }),
    createIntrospector: (opened: Kysely<unknown>) => new SqliteIntrospector(opened),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const db = new Kysely<Tables>({ dialect })
  return { db, isUsable: () => connection.isUsable(), end: () => connection.kill() }
}

class ReaderConnection implements DatabaseConnection {
  private readonly process: ChildProcess
  private pending: PromiseWithResolvers<Row[]> | undefined
  private last: Promise<unknown> = Promise.resolve()
  private isStreaming = false
  private failure: Error | undefined

  constructor(process: ChildProcess) {
    this.process = process
    this.process.on('message', (response) => this.settle(response as ReaderResponse))
    this.process.on('error', (error) => this.end(error))
    this.process.on('exit', () => this.end(new Error('The reader process has exited')))
    this.setRef(false)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.requireNoStream()
    return { rows: (await this.ask({ kind: 'all', sql, parameters })) as R[] }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery, rows = 1): AsyncGenerator<QueryResult<R>> {
    this.requireNoStream()
    this.isStreaming = true
    try {
      await this.ask({ kind: 'open', sql, parameters })
      for (;;) {
        const part = await this.ask({ kind: 'next', rows })
        if (part.length === 0) return
        yield { rows: part as R[] }
      }
    } finally {
      this.isStreaming = false
      if (this.isUsable()) await this.ask({ kind: 'close' })
    }
  }

  /** The query would wait for the end of the stream, which may wait for the query. */
  private requireNoStream(): void {
    if (this.isStreaming) throw new Error('A reader takes no other query while it streams')
  }

  isUsable(): boolean {
    return this.failure === undefined
  }

  /** Resolves when the process has exited. */
  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.process
    if (exitCode !== null || signalCode !== null) return
    this.failure ??= new Error('The reader process is killed')
    this.setRef(true)
    this.process.kill('SIGKILL')
    await once(this.process, 'exit')
  }

  /** The process handles one request at a time, and its responses do not say what they respond to. */
  private async ask(request: ReaderRequest): Promise<Row[]> {
    const response = this.last.then(() => this.send(request))
    this.last = response.catch(() => undefined)
    return response
  }

  private async send(request: ReaderRequest): Promise<Row[]> {
    if (this.failure) throw this.failure
    this.pending = Promise.withResolvers<Row[]>()
    this.setRef(true)
    this.process.send(request, (error) => error && this.end(error))
    return this.pending.promise
  }

  private settle(response: ReaderResponse): void {
    const { pending } = this
    this.pending = undefined
    this.setRef(false)
    if ('rows' in response) pending?.resolve(response.rows)
    else pending?.reject(Object.assign(new Error(response.message), { code: response.code }))
  }

  /** Fails this query and all later ones like a database that cannot be opened, which clients see as 503. */
  private end(cause: Error): void {
    this.failure = Object.assign(new Error(cause.message, { cause }), { code: 'SQLITE_CANTOPEN' })
    this.pending?.reject(this.failure)
    this.pending = undefined
    this.setRef(false)
  }

  /** A reader process without a query does not keep the server process alive. */
  private setRef(isNeeded: boolean): void {
    if (isNeeded) {
      this.process.ref()
      this.process.channel?.ref()
    } else {
      this.process.unref()
      this.process.channel?.unref()
    }
  }
}
