/** What each row has, in any order. */
const COMMON = new Set(['id', 'owner_id', 'created_at'])

/** The first field of its own is the name of a row. */
export function rowName(row: object): string {
  return String(
    Object.entries(row).find(([field, value]) => !COMMON.has(field) && typeof value === 'string')?.[1] ?? '',
  )
}
