import { normalizeText } from '../platform/lib/normalized-text.ts'

/** They identify rows for programs, or repeat the action of the entry. */
const ignored = new Set(['id', 'action', 'method', 'step'])

/** The normalized texts in the details of an entry, such as the title of an item. @returns null without any */
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
