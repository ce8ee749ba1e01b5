const PAGE_SIZE = 50

/** Too large pages use the API's largest `skip`. */
export function pageQuery(page = 1): { skip: number; limit: number } {
  return { skip: Math.min((page - 1) * PAGE_SIZE, 2 ** 31 - 1), limit: PAGE_SIZE }
}

export const pageCount = (count: number): number => Math.max(1, Math.ceil(count / PAGE_SIZE))

/** The pages to link: first, last, the current one and its neighbours, with `gap` for omitted ones. */
export function pageNumbers(current: number, last: number): (number | 'gap')[] {
  const shown = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last)
  const pages = [...new Set(shown)].toSorted((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1] ?? page - 1
    return page - before > 1 ? ['gap' as const, page] : [page]
  })
}
