/** The first field is the name of a row. */
export function rowName(row: object): string {
  return String(Object.entries(row).find(([field, value]) => field !== 'id' && typeof value === 'string')?.[1] ?? '')
}
