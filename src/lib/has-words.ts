/** Removes accents and differences of case, for comparisons in searches. */
export const foldText = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

export const wordsOf = (text: string): string[] => foldText(text).split(/\s+/)

export function hasWords(name: string, words: string): boolean {
  const folded = foldText(name)
  return wordsOf(words).every((word) => folded.includes(word))
}
