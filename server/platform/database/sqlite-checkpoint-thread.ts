import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

// The thread of server/platform/database/sqlite-checkpoints.ts.

export type CheckpointMessage = 'checkpoint' | 'stop'

export interface Checkpoint {
  isWhole: boolean
  ms: number
}

const database = new Database(workerData as string, { fileMustExist: true, timeout: 0 })
database.pragma('synchronous = FULL')

parentPort?.on('message', (message: CheckpointMessage) => {
  if (message === 'stop') {
    database.close()
    return parentPort?.close()
  }
  const begun = performance.now()
  const [result] = database.pragma('wal_checkpoint(passive)') as { busy: number; log: number; checkpointed: number }[]
  const isWhole = result?.busy === 0 && result.log === result.checkpointed
  return parentPort?.postMessage({ isWhole, ms: performance.now() - begun } satisfies Checkpoint)
})
