import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { vi } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import type { Store } from '../platform/database/store.ts'

export function recordQueries(store: Store): CompiledQuery[] {
  const queries: CompiledQuery[] = []
  // Otherwise, reads would use other connections.
  vi.spyOn(store, 'read').mockImplementation((work) => work(store.db))
  const executor = store.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  vi.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
    // Commits are announced at an unpredictable time.
    if (!query.sql.includes('pg_notify')) queries.push(query)
    return execute(query, ...rest)
  })
  return queries
}

/** Records the queries of later transactions, and how many rows each of them returned or changed. */
export function recordTransactions(store: Store): { kind: string; rows: number }[] {
  const queries: { kind: string; rows: number }[] = []
  const byId = new Map<object, number>()
  const transaction = store.transaction.bind(store)
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      byId.set(queryId, queries.push({ kind: node.kind, rows: 0 }) - 1)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      const query = queries[byId.get(queryId) ?? -1]
      if (query) query.rows = Math.max(result.rows.length, Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  store.transaction = (work) => transaction((tx) => work(tx.withPlugin(plugin)))
  return queries
}

/** The plan of the database for a query, in lines. */
export async function planOf({ db }: Store, query: CompiledQuery | undefined): Promise<string[]> {
  const explain = isSqlite(db) ? 'explain query plan' : 'explain'
  const explained = CompiledQuery.raw(`${explain} ${query?.sql}`, [...(query?.parameters ?? [])])
  const { rows } = await db.executeQuery<{ detail?: string; 'QUERY PLAN'?: string }>(explained)
  return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '')
}
