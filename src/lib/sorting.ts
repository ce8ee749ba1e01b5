/** The value of `aria-sort` for a field and a sort such as `-title`. */
export function directionOf(
  field: string | undefined,
  sort: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (field === undefined) return undefined
  if (sort === field) return 'ascending'
  return sort === `-${field}` ? 'descending' : undefined
}

export function nextSort(field: string, sort: string | undefined): string | undefined {
  const direction = directionOf(field, sort)
  if (direction === undefined) return field
  return direction === 'ascending' ? `-${field}` : undefined
}
