/** The direction that a sort such as `-title` gives this field, as `aria-sort` says it. */
export function directionOf(
  field: string | undefined,
  sort: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (field === undefined) return undefined
  if (sort === field) return 'ascending'
  return sort === `-${field}` ? 'descending' : undefined
}

/** The sort after a press on the heading of a field: ascending, descending, the list's own order. */
export function nextSort(field: string, sort: string | undefined): string | undefined {
  const direction = directionOf(field, sort)
  if (direction === undefined) return field
  return direction === 'ascending' ? `-${field}` : undefined
}
