import type { ImportResult } from '@/client/types.gen'
import { keyOf } from './addresses'
import type { People, Row, RowError } from './read-people'

/** A row of an import, and what becomes of it. */
export interface Outcome extends Omit<Row, 'error'> {
  /** Why it cannot be imported. */
  errors: readonly RowError[]
  /** The account stays as it is. */
  hasAccount: boolean
}

/** Before the server has looked at the rows. */
export const outcomesOf = ({ rows }: People): Outcome[] =>
  rows.map(({ error, ...row }) => ({ ...row, errors: error ? [error] : [], hasAccount: false }))

/** The rows that the server gets, in the order of its answer. */
export const readyOf = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ errors }) => errors.length === 0)

/** The rows with people who are invited. */
export const invitedOf = (outcomes: readonly Outcome[]): Outcome[] =>
  readyOf(outcomes).filter(({ hasAccount }) => !hasAccount)

/** Adds what the server says of the rows that it got. */
export function withResult(
  outcomes: readonly Outcome[],
  { existing, errors }: Pick<ImportResult, 'existing' | 'errors'>,
  columns: People['columns'],
): Outcome[] {
  const ready = readyOf(outcomes)
  const added = new Map<Outcome, RowError[]>()
  for (const { row: number, field, detail } of errors) {
    const row = ready[number - 1]
    if (row) added.set(row, [...(added.get(row) ?? []), toError(row, field, detail, columns)])
  }
  const accounts = new Set(existing.map(keyOf))
  return outcomes.map((row) => ({
    ...row,
    errors: [...row.errors, ...(added.get(row) ?? [])],
    hasAccount: accounts.has(keyOf(row.email)),
  }))
}

function toError(row: Outcome, field: string, reason: string, columns: People['columns']): RowError {
  if (field !== 'email' && field !== 'full_name' && field !== 'is_superuser')
    return { column: null, value: row.email, reason }
  return { column: columns[field] ?? field, value: String(row[field] ?? ''), reason }
}
