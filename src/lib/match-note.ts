import { choiceText, foldText, wordsOf } from './text'
import { textsOf } from './row-name'

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
