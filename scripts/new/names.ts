import { readFileSync } from 'node:fs'
import { isIdentifierName } from './identifiers.ts'

/** The names of a resource. */
export interface Names {
  /** `note` */
  noun: string
  /** `notes`: the name of the table, tag and path. */
  plural: string
}

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** With longer names, the names of indexes would be too long. */
const MAX_PLURAL = 20

const reserved = new Set(
  'access account accounts address api audit auth contract demo document domain export health history home instance invitation layout list lists locale location lock locks login logout me name names navigation object objects outbox owner page pages passkey password path query queries resource resources role root route routes row rows sample samples screen screens search security self server session sessions settings shell signup state states status store system table tables tag test tests token tokens total totals user users value window worker'.split(
    ' ',
  ),
)

/** @throws Error for an invalid name */
export function toNames(noun: string, given: string | undefined): Names {
  const plural = given ?? pluralOf(noun)
  for (const word of [noun, plural]) {
    if (!/^[a-z]{2,}$/.test(word))
      throw new Error(`“${word}” is not a valid name: use one word of lower-case letters, such as note`)
    if (reserved.has(word) || word.includes('item') || !isIdentifierName(word))
      throw new Error(`“${word}” is a reserved word`)
  }
  if (noun === plural) throw new Error(`The plural must differ from “${noun}”: set it with --plural`)
  if (plural.length > MAX_PLURAL) throw new Error(`“${plural}” has more than ${MAX_PLURAL} letters`)
  return { noun, plural }
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** A character of names that no name has. */
const MARK = '\u0315'

/** Keeps names such as `item_id` from being renamed until `unprotect`. */
export const protect = (text: string): string => text.replaceAll(/(?<=i)(?=tem)/gi, MARK)

export const unprotect = (text: string): string => text.replaceAll(MARK, '')

/** The names of all resources. */
export function listedNames(): Names[] {
  const listed = readFileSync('src/data/resources.ts', 'utf8').matchAll(/tag: '(\w+)'[^}]*noun: '(\w+)'[^}]*read:/g)
  return Array.from(listed, ([, plural = '', noun = '']) => ({ noun, plural }))
}

/** Replaces the names of items. */
export function rename(text: string, { noun, plural }: Names): string {
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a'
  const words: Record<string, string> = {
    'an item': `${article} ${noun}`,
    'An item': `${capitalize(article)} ${noun}`,
    Items: capitalize(plural),
    items: plural,
    Item: capitalize(noun),
    item: noun,
  }
  return text.replaceAll(
    /\b[Aa]n item\b|Items?|items(?!-(?:center|start|end|baseline))|item(?!s)/g,
    (word) => words[word] ?? word,
  )
}
