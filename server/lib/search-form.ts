/** Words of a search beyond this number are ignored (BEYOND 1). */
const MAX_WORDS = 10

/**
 * The form in which texts are searched and sorted, without accents and case. It has up to 18 times as many characters
 * as the text.
 */
export function toSearchForm(text: string): string {
  const lower = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  // The two lower-case forms of sigma differ only by their position in a word.
  return lower.replaceAll('ς', 'σ')
}

/** The words of a search, in search form. @param text with bounded length */
export function toSearchWords(text: string): string[] {
  const words = text.split(/\p{White_Space}+/u).map(toSearchForm)
  return words.filter((word) => word !== '').slice(0, MAX_WORDS)
}
