import { CompiledQuery } from 'kysely'
import { vi } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Store } from '../platform/database/store.ts'

/** The queries from now on. */
export function recordQueries(store: Store): CompiledQuery[] {
  const queries: CompiledQuery[] = []
  // Readers have connections of their own.
  vi.spyOn(store, 'read').mockImplementation((work) => work(store.db))
  const executor = store.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  vi.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
    // Sent some time after a commit.
    if (!query.sql.includes('pg_notify')) queries.push(query)
    return execute(query, ...rest)
  })
  return queries
}

/** The lines of the database's plan for a query. */
export async function planOf({ db }: Store, query: CompiledQuery | undefined): Promise<string[]> {
  const explain = isSqlite(db) ? 'explain query plan' : 'explain'
  const explained = CompiledQuery.raw(`${explain} ${query?.sql}`, [...(query?.parameters ?? [])])
  const { rows } = await db.executeQuery<{ detail?: string; 'QUERY PLAN'?: string }>(explained)
  return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')
}
