import { normalizeText } from '../platform/lib/normalized-text.ts'

/** The search ignores these keys, because people do not search for ids or for repetitions of the action. */
const ignored = new Set(['id', 'action', 'method', 'step'])

/** @returns the normalized texts in the details of an entry, such as the title of an item; null if there are none */
export function searchTextOf(details: Record<string, unknown> | null): string | null {
  const texts = textsIn(details ?? {})
  return texts.length === 0 ? null : normalizeText(texts.join('\n'))
}

function textsIn(value: object): string[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    if (ignored.has(name)) return []
    if (typeof part === 'string') return [part]
    return typeof part === 'object' && part !== null ? textsIn(part) : []
  })
}
