import type { ImportResult } from '@/client/types.gen'
import { type Person, type Row, rules } from './read-people'

export interface PersonRow {
  /** Stays the same when the text is read again. */
  key: string
  /** The line of the text, from 1. */
  line: number
  person: Person
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
export type Answers = ReadonlyMap<string, { hasAccount?: boolean; problem?: string }>

/** Addresses that differ only in case are one account. Longer texts are no addresses. */
const keyOf = (address: string): string => address.slice(0, 1024).normalize('NFKC').toLowerCase()

export function toPersonRows(rows: readonly Row[], corrections: Corrections, answers: Answers): PersonRow[] {
  const times = new Map<string, number>()
  const lines = new Map<string, number>()
  return rows.flatMap(({ line, person: read, problem: unread }) => {
    const text = JSON.stringify(read)
    const number = times.get(text) ?? 0
    times.set(text, number + 1)
    const key = `${number} ${text}`
    const corrected = corrections[key]
    if (corrected === null) return []
    const person = corrected ?? read
    const address = keyOf(person.email)
    const answer = answers.get(address)
    const earlier = lines.get(address)
    const suspected = corrected ? undefined : unread
    const wrong = problemOf(person)
    const problem =
      suspected ??
      wrong ??
      (earlier === undefined ? undefined : `The same address as in line ${earlier}.`) ??
      answer?.problem
    if (problem === undefined) lines.set(address, line)
    return [
      {
        key,
        line,
        person,
        wasSuperuser: read.is_superuser,
        problem,
        canAccept: suspected !== undefined && wrong === undefined,
        hasAccount: problem === undefined && answer?.hasAccount === true,
      },
    ]
  })
}

export const wrongOf = (rows: readonly PersonRow[]): PersonRow[] => rows.filter(({ problem }) => problem !== undefined)

export const invitedOf = (rows: readonly PersonRow[]): PersonRow[] =>
  rows.filter(({ problem, hasAccount }) => problem === undefined && !hasAccount)

/** @param asked the people of the answer, in its order */
export const withAnswer = (
  answers: Answers,
  asked: readonly Person[],
  { existing, errors }: Pick<ImportResult, 'existing' | 'errors'>,
): Answers =>
  new Map([
    ...answers,
    ...asked.map(({ email }) => [keyOf(email), {}] as const),
    ...existing.map((address) => [keyOf(address), { hasAccount: true }] as const),
    ...errors.map(({ row, detail }) => [keyOf(asked[row - 1]?.email ?? ''), { problem: detail }] as const),
  ])

export const tidy = ({ email: address, full_name: name, ...person }: Person): Person => ({
  ...person,
  email: rules.email.safeParse(address).data ?? address.trim(),
  full_name: name?.trim() || null,
})

export function problemOf({ email: address, full_name: name }: Person): string | undefined {
  const wrong = rules.email.safeParse(address).error ?? rules.full_name.safeParse(name ?? '').error
  return wrong?.issues[0]?.message
}
