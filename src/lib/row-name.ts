import { choiceText, foldText, wordsOf } from './text'

const COMMON = /^(id|version|\w+_(id|at))$/

const textsOf = (row: object): [field: string, text: string][] =>
  Object.entries(row).filter(
    (entry): entry is [string, string] => !COMMON.test(entry[0]) && typeof entry[1] === 'string',
  )

/** The name of a row is its first text in the contract. On the server, it is the first of `searched`. */
export const rowName = (row: object): string => textsOf(row)[0]?.[1] ?? ''

const BEFORE = 2

/** Shows where a row matches besides its name, such as `Description: … on the second floor`. */
export function matchNote(row: object, searched: string): string | undefined {
  const [[, name] = ['', ''], ...others] = textsOf(row)
  const missing = wordsOf(searched).find((word) => !foldText(name).includes(word))
  const found = missing && others.find(([, text]) => foldText(text).includes(missing))
  if (!found) return undefined
  const [field, text] = found
  const words = text.trim().split(/\s+/)
  const at = words.findIndex((word) => foldText(word).includes(missing))
  const begin = Math.max(at - BEFORE, 0)
  return `${choiceText(field)}: ${begin > 0 ? '… ' : ''}${words.slice(begin).join(' ')}`
}
