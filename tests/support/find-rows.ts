import type { UserPublic } from '@/client/types.gen'
import { normalizeText, toSearchWords } from '../../server/platform/lib/normalized-text.ts'

export interface ResourceRow {
  id: string
  owner_id: string
  created_at: string
}

type Asked = Record<string, string>

type RowValue = string | number | boolean | null

const DAY = 24 * 60 * 60_000

/** @returns `undefined` if a parameter is invalid */
export function findUsers(users: UserPublic[], asked: Asked): UserPublic[] | undefined {
  const { q = '', role, status, idle_days, never_active, confirmed, created_from, created_to, sort, ...unknown } = asked
  const isValid =
    Object.keys(unknown).length === 0 &&
    [undefined, 'yes', 'no'].includes(confirmed) &&
    areValues(role, ['superuser', 'user']) &&
    areValues(status, ['active', 'inactive', 'invited']) &&
    [undefined, 'only', 'from_creation'].includes(never_active) &&
    (idle_days === undefined || (Number(idle_days) >= 1 && Number(idle_days) <= 3650)) &&
    isSort(sort, ['created_at', 'email', 'full_name', 'last_active_at'])
  if (!isValid) return undefined
  const seenAt = (user: UserPublic) =>
    user.last_active_at ?? (never_active === 'from_creation' ? user.created_at : undefined) ?? '1970'
  const found = users.filter(
    (user) =>
      matches(q, [user.email, user.full_name]) &&
      isWithin(user.created_at, created_from, created_to) &&
      isOneOf(user.is_superuser ? 'superuser' : 'user', role) &&
      isOneOf(statusOf(user), status) &&
      (confirmed === undefined || Boolean(user.email_confirmed_at) === (confirmed === 'yes')) &&
      (never_active !== 'only' || !user.last_active_at) &&
      (idle_days === undefined || Date.parse(seenAt(user)) <= Date.now() - Number(idle_days) * DAY),
  )
  return sorted(found, sort)
}

interface Searched {
  searched: readonly string[]
  filters: readonly string[]
  ranges: readonly string[]
  sorts: readonly string[]
}

/** @returns `undefined` if a parameter is invalid */
export function findResourceRows<Row extends ResourceRow>(
  rows: Row[],
  asked: Asked,
  { searched, filters, ranges, sorts }: Searched,
): Row[] | undefined {
  const { q = '', owner_id, created_from, created_to, sort, ...values } = asked
  const known = new Set([...filters, ...ranges.flatMap((name) => [`${name}_from`, `${name}_to`])])
  if (Object.keys(values).some((name) => !known.has(name)) || !isSort(sort, sorts)) return undefined
  const valueOf = (row: Row, field: string) => (row as unknown as Record<string, RowValue>)[field] ?? null
  const found = rows.filter(
    (row) =>
      matches(
        q,
        searched.map((field) => valueOf(row, field) as string | null),
      ) &&
      isWithin(row.created_at, created_from, created_to) &&
      (owner_id === undefined || row.owner_id === owner_id) &&
      filters.every((field) => isOneOf(asFilterValue(valueOf(row, field)), values[field])) &&
      ranges.every((field) => isInRange(valueOf(row, field), values[`${field}_from`], values[`${field}_to`])),
  )
  return sorted(found, sort)
}

const isOneOf = (value: string, asked: string | undefined): boolean =>
  asked === undefined || asked.split(',').includes(value)

const areValues = (asked: string | undefined, known: readonly string[]): boolean =>
  asked === undefined ||
  (asked.split(',').every((value) => known.includes(value)) &&
    new Set(asked.split(',')).size === asked.split(',').length)

const asFilterValue = (value: RowValue): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value))

/** Also true for decimals, which are strings in JSON. */
const isNumber = (value: RowValue): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d+$/.test(value))

function isInRange(value: RowValue, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true
  if (value === null) return false
  if (!isNumber(value)) return isWithin(String(value), from, to)
  return Number(value) >= Number(from ?? -Infinity) && Number(value) <= Number(to ?? Infinity)
}

export function csv(rows: readonly object[]): string {
  const heading = Object.keys(rows[0] ?? {})
  const lines = [heading, ...rows.map((row) => Object.values(row).map((value) => String(value ?? '')))]
  return `\uFEFF${lines.map((cells) => `${cells.join()}\r\n`).join('')}`
}

export function statusOf(user: UserPublic): string {
  if (!user.is_active) return 'inactive'
  return user.is_invited ? 'invited' : 'active'
}

function isSort(sort: string | undefined, fields: readonly string[]): boolean {
  return sort === undefined || fields.includes(sort.replace(/^-/, ''))
}

function isWithin(at: string, from = '', to = '9'): boolean {
  return at >= from && at.slice(0, to.length) <= to
}

function matches(q: string, texts: (string | null | undefined)[]): boolean {
  const forms = texts.map((text) => normalizeText(text ?? ''))
  return toSearchWords(q).every((word) => forms.some((form) => form.includes(word)))
}

/** Without `sort`, rows keep their order, because tests add the newest first. */
function sorted<Row extends { id: string }>(rows: Row[], sort: string | undefined): Row[] {
  if (sort === undefined) return rows
  const field = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  const keyOf = (row: Row): string | number | undefined => {
    const value = (row as unknown as Record<string, string | number | boolean | null>)[field]
    if (value === null || value === undefined) return undefined
    if (typeof value === 'boolean' || isNumber(value)) return Number(value)
    return field.endsWith('_at') ? String(value) : normalizeText(String(value))
  }
  return rows.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)]
    const byId = compareCodePoints(one.id, other.id) * (field === 'created_at' ? sign : 1)
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined) || byId
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b))
    return order * sign || byId
  })
}

function compareCodePoints(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  const index = a.findIndex((character, at) => character !== b[at])
  if (index === -1) return a.length - b.length
  return (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? -1)
}
