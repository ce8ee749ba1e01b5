/** The rows from one to another, in the order of the page. @param from its id; only `to` if it is not on the page */
export function rangeBetween<Row extends { id: string }>(
  rows: readonly Row[],
  from: string | undefined,
  to: Row,
): readonly Row[] {
  const ends = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to.id)]
  if (ends.includes(-1)) return [to]
  return rows.slice(Math.min(...ends), Math.max(...ends) + 1)
}
