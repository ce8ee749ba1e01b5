import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import type { Checkpoint, CheckpointMessage } from './sqlite-checkpoint-thread.ts'

const post = (thread: Worker, message: CheckpointMessage) => thread.postMessage(message)

/** From this size, the write-ahead log is written to the database and its file is truncated. */
const LOG_BYTES = 4 * 1024 * 1024
const LOOK_MS = 50
/** After a checkpoint of at most this time, the main thread writes what was added to the log meanwhile. */
const SHORT_MS = 50
/** A long read may keep a checkpoint from writing the whole log. The next one is tried after this time. */
const READER_MS = 1_000

/** Writes the log to the database in a thread. SQLite would write it in a commit, and block the server for seconds. */
export function createCheckpoints(database: Database.Database) {
  const log = `${database.name}-wal`
  let thread: Worker | undefined
  let isRunning = false
  let nextLook = 0
  /** The log grows during a checkpoint of the thread, so the main thread has to write the rest. */
  let isRestDue = false
  database.pragma('wal_autocheckpoint = 0')
  // SQLite truncates the file to this size when it writes the log from the start again.
  database.pragma(`journal_size_limit = ${LOG_BYTES}`)

  function start(): Worker {
    const started = new Worker(new URL('sqlite-checkpoint-thread.ts', import.meta.url), { workerData: database.name })
    started.on('message', ({ isWhole, ms }: Checkpoint) => {
      isRunning = false
      if (!isWhole) nextLook = performance.now() + READER_MS
      isRestDue = isWhole && ms <= SHORT_MS
    })
    // If the thread fails, the main thread writes the log.
    started.on('error', () => {
      thread = undefined
      isRunning = false
      isRestDue = true
    })
    started.unref()
    return started
  }

  return {
    /** Call it often, when no transaction is open. */
    makeIfDue(): void {
      if (isRunning) return
      if (isRestDue) {
        isRestDue = false
        database.pragma('wal_checkpoint(passive)')
      }
      if (performance.now() < nextLook) return
      nextLook = performance.now() + LOOK_MS
      if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= LOG_BYTES) return
      isRunning = true
      thread ??= start()
      post(thread, 'checkpoint')
    },

    /** Asks the thread to stop, because terminating it while it loads SQLite would end the process. */
    async stop(): Promise<void> {
      const stopping = thread
      if (!stopping) return
      stopping.ref()
      await new Promise((resolve) => {
        stopping.once('exit', resolve)
        post(stopping, 'stop')
      })
    },
  }
}
