import { toSearchWords } from '../lib/search-form.ts'
import type { Page } from '../store/page.ts'

/** How a list is asked for, in the words of the contract. */
export interface ListRequest<Sort extends string> {
  q?: string | undefined
  sort?: Sort | `-${Sort}` | undefined
}

/** Beyond so many rows, a page takes long enough to hold up others. */
const MAX_SHORT_SKIP = 1_000

/** Words and order of a list; newest first, where nothing else is asked for. */
export function toListQuery<Sort extends string>({ q = '', sort = '-created_at' as `-${Sort}` }: ListRequest<Sort>) {
  const descending = sort.startsWith('-')
  return { words: toSearchWords(q), sort: { by: (descending ? sort.slice(1) : sort) as Sort, descending } }
}

/** Whether a page is one of the first of the whole list, in its usual order. */
export function isShortRead(given: ListRequest<string>, { skip }: Page): boolean {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined)
  return asked.length === 0 && skip <= MAX_SHORT_SKIP
}
