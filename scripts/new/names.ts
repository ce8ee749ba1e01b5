import { readFileSync } from 'node:fs'

export interface Names {
  /** `note` */
  noun: string
  /** `notes`: the name of the table, tag and path. */
  plural: string
}

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** With longer names, the names of indexes would be too long. */
const MAX_PLURAL = 20

/** Words of SQL or JavaScript that cannot be the name of a table or of a module's value. */
const reserved = new Set(['values', 'references', 'arguments'])

/** @throws Error for an invalid name */
export function toNames(noun: string, given: string | undefined): Names {
  const plural = given ?? pluralOf(noun)
  for (const word of [noun, plural])
    if (!/^[a-z]{2,}$/.test(word))
      throw new Error(`“${word}” is not a valid name: use one word of lower-case letters, such as note`)
  if (reserved.has(plural)) throw new Error(`A table cannot be called “${plural}”: set another plural with --plural`)
  if (noun === plural) throw new Error(`The plural must differ from “${noun}”: set it with --plural`)
  if (plural.length > MAX_PLURAL) throw new Error(`“${plural}” has more than ${MAX_PLURAL} letters`)
  return { noun, plural }
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies')
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

export function listedNames(): Names[] {
  const [lines = ''] = /const listed = [\s\S]*?as const/.exec(readFileSync('src/lib/resources.ts', 'utf8')) ?? []
  return Array.from(lines.matchAll(/tag: '(\w+)',\s*noun: '(\w+)'/g), ([, plural = '', noun = '']) => ({
    noun,
    plural,
  }))
}

const article = (noun: string): string =>
  /^(?:[aeio]|u(?!ni|se|ti)|hour|honou?r)/.test(noun) && !noun.startsWith('one') ? 'an' : 'a'

/** A text of the template with the names of a resource. Those of the template are in no other word. */
export function rename(text: string, { noun, plural }: Names): string {
  const words: Record<string, string> = {
    'a gizmo': `${article(noun)} ${noun}`,
    'A gizmo': `${capitalize(article(noun))} ${noun}`,
    gizmos: plural,
    Gizmos: capitalize(plural),
    gizmo: noun,
    Gizmo: capitalize(noun),
  }
  return text.replaceAll(/\b[Aa] gizmo\b(?!s)|[Gg]izmos?/g, (word) => words[word] ?? word)
}
