/** How many words of a search count (BEYOND 1). */
const MAX_WORDS = 10

/**
 * The form in which texts are searched and sorted: without accents and without case. Search forms have up to 18 times as many
 * characters as the text.
 */
export function toSearchForm(text: string): string {
  const lower = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  // The two small forms of sigma differ only in their place in a word.
  return lower.replaceAll('ς', 'σ')
}

/** The words of a search in their search form. @param text with bounded length */
export function toSearchWords(text: string): string[] {
  const words = text.split(/\p{White_Space}+/u).map(toSearchForm)
  return words.filter((word) => word !== '').slice(0, MAX_WORDS)
}
