import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

// The thread of server/store/sqlite-reader.ts. It handles one request at a time.

export type ReaderRequest =
  | { kind: 'all'; sql: string; parameters: readonly unknown[] }
  | { kind: 'open'; sql: string; parameters: readonly unknown[] }
  | { kind: 'next'; rows: number }
  | { kind: 'close' }

export type ReaderAnswer = { rows: Row[] } | { message: string; code: unknown }

type Row = Record<string, unknown>

const database = new Database(workerData as string, { readonly: true, fileMustExist: true, timeout: 5_000 })
let open: IterableIterator<Row> | undefined

function read(request: ReaderRequest): Row[] {
  switch (request.kind) {
    case 'all':
      return database.prepare(request.sql).all(request.parameters) as Row[]
    case 'open':
      open = database.prepare(request.sql).iterate(request.parameters) as IterableIterator<Row>
      return []
    case 'next':
      return takeRows(request.rows)
    case 'close':
      open?.return?.()
      open = undefined
      return []
  }
}

function takeRows(count: number): Row[] {
  const rows: Row[] = []
  for (let next = open?.next(); next && !next.done; next = open?.next()) {
    rows.push(next.value)
    if (rows.length === count) break
  }
  return rows
}

parentPort?.on('message', (request: ReaderRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answerTo(request))
})

function answerTo(request: ReaderRequest): ReaderAnswer {
  try {
    return { rows: read(request) }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return { message, code }
  }
}
