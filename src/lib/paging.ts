/** SPEC 9. */
const PAGE_SIZE = 50

/** The page that a search parameter means: 1 for anything that is not a whole number of at least 1. */
export function toPage(value: unknown): number {
  const page = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/** What the API is asked for page `page` (SPEC 7). */
export function pageQuery(page: number): { skip: number; limit: number } {
  return { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
}
