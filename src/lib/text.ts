export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Such as `In Progress` for `in_progress`. */
export const choiceText = (value: string): string => value.split('_').map(capitalize).join(' ')

/** Isolates the direction of user input in plain text, so that it does not affect the words around it. */
export const isolate = (text: string): string => `\u2068${text}\u2069`

export const numberText = (number: number): string => number.toLocaleString('en')

export const countText = (count: number, noun: string, plural = `${noun}s`): string =>
  `${numberText(count)} ${count === 1 ? noun : plural}`

/** Such as `51–100 of 5,012 users`, or `1 user`. */
export function rangeText(skip: number, rows: number, count: number, noun: string, plural?: string): string {
  const all = countText(count, noun, plural)
  return rows === 0 || count === 1 ? all : `${numberText(skip + 1)}–${numberText(skip + rows)} of ${all}`
}

/** Removes accents and differences of case, for comparisons in searches. */
export const foldText = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

export const wordsOf = (text: string): string[] => foldText(text).split(/\s+/)

export function hasWords(name: string, words: string): boolean {
  const folded = foldText(name)
  return wordsOf(words).every((word) => folded.includes(word))
}
