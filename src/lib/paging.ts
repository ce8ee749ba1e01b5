/** SPEC 9. */
const PAGE_SIZE = 50

/** The page that a search parameter means: 1 for anything that is not a whole number of at least 1. */
export function toPage(value: unknown): number {
  const page = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/** What the API is asked for page `page` (SPEC 7). Pages that no list can have ask for the last row the API knows of. */
export function pageQuery(page: number): { skip: number; limit: number } {
  return { skip: Math.min((page - 1) * PAGE_SIZE, 2 ** 31 - 1), limit: PAGE_SIZE }
}

/** How many pages a list of `count` rows has: an empty one has one. */
export function pageCount(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_SIZE))
}

/** The pages to offer: first, last, the current one and its neighbours, with `gap` where some are left out (SPEC 9). */
export function pageNumbers(current: number, last: number): (number | 'gap')[] {
  const shown = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last)
  const pages = [...new Set(shown)].toSorted((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1] ?? page - 1
    return page - before > 1 ? ['gap' as const, page] : [page]
  })
}
