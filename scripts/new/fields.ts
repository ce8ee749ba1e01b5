import { isIdentifierName } from './identifiers.ts'
import { capitalize } from './names.ts'

const kinds = ['text', 'multiline', 'integer', 'boolean', 'date'] as const
type Kind = (typeof kinds)[number]

export interface Field {
  name: string
  kind: Kind
  isNullable: boolean
  /** `Due On` */
  label: string
  /** `DueOn` */
  pascal: string
}

const taken = new Set(['id', 'owner_id', 'created_at', 'q', 'sort', 'skip', 'limit', 'count', 'data', 'page', 'values'])
const MAX_NAME = 25

/** Parses fields such as `body:text, due_on:date?`. @throws Error for an invalid field */
export function toFields(text: string): [Field, ...Field[]] {
  const fields = text.split(',').map((part) => toField(part.trim()))
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`The field “${twice}” is defined twice`)
  const [first, ...others] = fields
  if (first?.kind !== 'text' || first.isNullable)
    throw new Error('The first field is the name of a row: use a required text, such as title:text')
  return [first, ...others]
}

function toField(part: string): Field {
  const [, name = '', kind = '', mark = ''] = /^([^:\s]*)\s*:\s*([^:?\s]*)(\??)$/.exec(part) ?? []
  if (!/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(name))
    throw new Error(`“${part}” is not a field: write name:kind, with a name such as due_on`)
  if (!kinds.includes(kind as Kind)) throw new Error(`“${kind}” is not a kind of field: use ${kinds.join(', ')}`)
  if (taken.has(name) || !isIdentifierName(name) || /_(at|search)$|item/.test(name))
    throw new Error(`A field cannot be called “${name}”`)
  if (name.length > MAX_NAME) throw new Error(`“${name}” has more than ${MAX_NAME} characters`)
  if (kind === 'boolean' && mark)
    throw new Error(`“${name}” is boolean, so it cannot be optional: remove the question mark`)
  const words = name.split('_').map(capitalize)
  return { name, kind: kind as Kind, isNullable: mark !== '', label: words.join(' '), pascal: words.join('') }
}

export const isText = ({ kind }: Field): boolean => kind === 'text' || kind === 'multiline'

/** Sample values of a field for tests, in the types of the contract. */
export function samplesOf(field: Field, noun: string) {
  const { kind, name } = field
  switch (kind) {
    case 'boolean':
      return { least: false, full: true, other: false, wrong: 'yes' }
    case 'integer':
      return { least: 1, full: 7, other: 8, wrong: 1.5 }
    case 'date':
      return { least: '2026-01-31', full: '2026-11-21', other: '2026-12-01', wrong: '2026-02-30' }
    default:
      return {
        least: `Some ${noun}`,
        full: `Quick ${name}`,
        other: `Lazy ${name}`,
        wrong: field.isNullable ? 12345 : '   ',
      }
  }
}
