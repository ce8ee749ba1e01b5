import type { Page } from './database/page.ts'
import { toSearchWords } from './lib/search-form.ts'
import type { LongRead } from './reads.ts'

export interface ListRequest<Sort extends string> {
  q?: string | undefined
  sort?: Sort | `-${Sort}` | undefined
}

/** Pages after this many rows take long enough to delay other requests. */
const MAX_SHORT_SKIP = 1_000
/** The order of a list without `sort`. */
const DEFAULT_SORT = '-created_at'

/** The words and order of a list, by default newest first. */
export function toListQuery<Sort extends string>({ q = '', sort = DEFAULT_SORT as `-${Sort}` }: ListRequest<Sort>) {
  const descending = sort.startsWith('-')
  return { words: toSearchWords(q), sort: { by: (descending ? sort.slice(1) : sort) as Sort, descending } }
}

/** What reading such a list is, if it takes long. */
export function kindOfRead({ q = '' }: { q?: string | undefined }): LongRead {
  return q.trim() === '' ? 'list' : 'search'
}

/** Whether a page is one of the first of the unfiltered list in its default order. */
export function isShortRead({ q = '', sort = DEFAULT_SORT, ...filters }: ListRequest<string>, { skip }: Page): boolean {
  const isFiltered = q.trim() !== '' || Object.values(filters).some((value) => value !== undefined)
  return !isFiltered && sort === DEFAULT_SORT && skip <= MAX_SHORT_SKIP
}
