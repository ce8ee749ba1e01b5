import Database from 'better-sqlite3'

// The program of server/platform/database/sqlite-reader.ts. It handles one request at a time.

export type ReaderRequest =
  | { kind: 'all'; sql: string; parameters: readonly unknown[] }
  | { kind: 'open'; sql: string; parameters: readonly unknown[] }
  | { kind: 'next'; rows: number }
  | { kind: 'close' }

export type ReaderResponse = { rows: Row[] } | { message: string; code: unknown }

type Row = Record<string, unknown>

const [, , file = ''] = process.argv
let database: Database.Database | undefined
let open: IterableIterator<Row> | undefined

/** Opened by the first request, which gets the error if that fails. */
function connect(): Database.Database {
  database ??= new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
  return database
}

function read(request: ReaderRequest): Row[] {
  switch (request.kind) {
    case 'all':
      return connect().prepare(request.sql).all(request.parameters) as Row[]
    case 'open':
      open = connect().prepare(request.sql).iterate(request.parameters) as IterableIterator<Row>
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

function respond(request: ReaderRequest): ReaderResponse {
  try {
    return { rows: read(request) }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return { message, code }
  }
}

process.on('message', (request: ReaderRequest) => process.send?.(respond(request)))
// The server has ended without ending this process.
process.on('disconnect', () => process.exit())
// A terminal sends these signals to all processes, but the server still needs this one for running requests.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
