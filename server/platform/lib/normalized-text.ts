/** A search ignores further words. */
const MAX_WORDS = 10

/** Normalization lengthens some characters, a ligature to 18. Only texts made of ligatures reach this limit. */
const maxLengthOf = (text: string): number => 3 * text.length + 1_000

/**
 * The form in which texts are searched and sorted, without accents and case. It is at most three times as long as the
 * text, plus 1,000 UTF-16 units.
 */
export function normalizeText(text: string): string {
  // Removes combining marks first, because normalization sorts them in quadratic time.
  const withoutMarks = text.replaceAll(/\p{M}/gu, '')
  const lower = withoutMarks.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  // The two lower-case forms of sigma differ only by their position in a word.
  return lower
    .replaceAll('ς', 'σ')
    .slice(0, maxLengthOf(text))
    .replace(/[\uD800-\uDBFF]$/, '')
}

/** The normalized words of a search. Words that others contain are left out. @param text with bounded length */
export function toSearchWords(text: string): string[] {
  const words = text.split(/\p{White_Space}+/u).map(normalizeText)
  const counted = words.filter((word) => word !== '').slice(0, MAX_WORDS)
  return [...new Set(counted)].filter((word) => !counted.some((other) => other !== word && other.includes(word)))
}
