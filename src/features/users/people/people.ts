import type { ImportResult } from '@/client/types.gen'
import { type Person, type Row, type RowError, rules } from './read-people'

export interface PersonRow extends Person {
  /** Stays the same when the text is read again. */
  key: string
  /** The line of the text, from 1. */
  line: number
  /** Whether the text made the person a superuser, before corrections. */
  wasSuperuser: boolean
  problem: string | undefined
  /** Whether the problem is only suspected, so that the user can accept the row as it is. */
  canAccept: boolean
  hasAccount: boolean
}

/** Corrected rows by their keys; null if a row was removed. */
export type Corrections = Readonly<Partial<Record<string, Person | null>>>

/** The server's answers about addresses. The keys ignore case. */
export interface Known {
  accounts: ReadonlySet<string>
  refused: ReadonlyMap<string, string>
}

/** Addresses that differ only in case are one account. Longer texts are no addresses. */
const keyOf = (address: string): string => address.slice(0, 1024).normalize('NFKC').toLowerCase()

export function toPersonRows(rows: readonly Row[], corrections: Corrections, known: Known): PersonRow[] {
  const times = new Map<string, number>()
  const lines = new Map<string, number>()
  return rows.flatMap(({ line, error, ...read }) => {
    const text = JSON.stringify(read)
    const number = times.get(text) ?? 0
    times.set(text, number + 1)
    const key = `${number} ${text}`
    const corrected = corrections[key]
    if (corrected === null) return []
    const person = corrected ?? read
    const address = keyOf(person.email)
    const earlier = lines.get(address)
    const wrong = problemOf(person)
    const unread = corrected || !error ? undefined : errorTextOf(error, person)
    const problem =
      unread ??
      wrong ??
      (earlier === undefined ? undefined : `The same address as in line ${earlier}.`) ??
      known.refused.get(address)
    if (problem === undefined) lines.set(address, line)
    return [
      {
        ...person,
        key,
        line,
        wasSuperuser: read.is_superuser,
        problem,
        canAccept: unread !== undefined && wrong === undefined,
        hasAccount: problem === undefined && known.accounts.has(address),
      },
    ]
  })
}

export const invitedOf = (rows: readonly PersonRow[]): PersonRow[] =>
  rows.filter(({ problem, hasAccount }) => problem === undefined && !hasAccount)

export const bodyOf = (rows: readonly Person[]): Person[] =>
  rows.map((row) => ({ email: row.email, full_name: row.full_name, is_superuser: row.is_superuser }))

export function withAnswer(
  { accounts, refused }: Known,
  rows: readonly Person[],
  { existing, errors }: Pick<ImportResult, 'existing' | 'errors'>,
): Known {
  const asked = new Set(rows.map((row) => keyOf(row.email)))
  return {
    accounts: new Set([...[...accounts].filter((key) => !asked.has(key)), ...existing.map(keyOf)]),
    refused: new Map([
      ...[...refused].filter(([key]) => !asked.has(key)),
      ...errors.map(({ row, detail }) => [keyOf(rows[row - 1]?.email ?? ''), detail] as const),
    ]),
  }
}

export const tidy = ({ email: address, full_name: name, ...person }: Person): Person => ({
  ...person,
  email: rules.email.safeParse(address).data ?? address.trim(),
  full_name: name?.trim() || null,
})

export function problemOf({ email: address, full_name: name }: Person): string | undefined {
  const wrong = rules.email.safeParse(address).error ?? rules.full_name.safeParse(name ?? '').error
  return wrong?.issues[0]?.message
}

function errorTextOf({ column, value, reason }: RowError, { email: address }: Person): string {
  if (value === '' || value === address) return reason
  return `${reason} ${column === null ? '' : `${column}: `}“${value}”`
}
