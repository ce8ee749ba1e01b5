/** What each row has, in any order. */
const COMMON = new Set(['id', 'owner_id', 'created_at'])

/** The name of a row is its first text of its own in the contract. On the server it is the first of `searched`. */
export function rowName(row: object): string {
  return String(
    Object.entries(row).find(([field, value]) => !COMMON.has(field) && typeof value === 'string')?.[1] ?? '',
  )
}
