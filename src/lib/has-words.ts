const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

/** Whether a name contains each of the words, without regard to case and accents. */
export function hasWords(name: string, words: string): boolean {
  const folded = fold(name)
  return fold(words)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
