import { kindNames, kinds, kindsWithParameters } from './kinds/all.ts'
import type { Kind } from './kinds/kind.ts'
import { capitalize } from './names.ts'

export interface Field {
  name: string
  kind: Kind
  isNullable: boolean
  /** `Due On` */
  label: string
  /** `DueOn` */
  pascal: string
}

const taken = new Set(
  'id owner_id created_at updated_at edited_at version count newest last_edited search from to q sort skip limit page add edit delete delete_selected root constructor'.split(
    ' ',
  ),
)
const MAX_NAME = 25

/** Parses fields such as `body:text, due_on:date?`. @throws Error for an invalid field */
function toFields(text: string): [Field, ...Field[]] {
  // Not at the commas in parentheses.
  const fields = text.split(/,(?![^(]*\))/).map((part) => toField(part.trim()))
  const names = fields.flatMap((field) => [field.name, ...besideOf(field)])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`The field “${twice}” is defined twice`)
  return fields as [Field, ...Field[]]
}

/** The fields of a new resource. @throws Error for an invalid field */
export function toFirstFields(text: string): [Field, ...Field[]] {
  const fields = toFields(text)
  if (fields[0].kind !== kinds.text || fields[0].isNullable)
    throw new Error('The first field is the name of a row: use a required text, such as title:text')
  return fields
}

/** Fields for rows that exist, and for clients that do not know them. @throws Error for an invalid field */
export function toFurtherFields(text: string): [Field, ...Field[]] {
  const fields = toFields(text)
  const required = fields.find((field) => !isOptional(field))
  if (required)
    throw new Error(`Existing rows have no “${required.name}”: add a question mark to make the field optional`)
  return fields
}

function toField(part: string): Field {
  const match = /^([^:\s]*)\s*:\s*([^:?(\s]*)\s*(?:\(([^)]*)\))?(\??)$/.exec(part) ?? []
  const [, name = '', kindName = '', parameters, mark = ''] = match
  if (!/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(name))
    throw new Error(`“${part}” is not a field: write name:kind, with a name such as due_on`)
  const kind = toKind(kindName, parameters)
  if (taken.has(name) || name.endsWith('_search'))
    throw new Error(`A field cannot be called “${name}”, as all rows and lists use this name: choose another one`)
  if (kind === kinds.file && !mark) throw new Error(`“${name}” is a file, so it must be optional: add a question mark`)
  // What sorts and shows rows takes these for times.
  if (name.endsWith('_at') && kind !== kinds.time) throw new Error(`Only a time can be called “${name}”`)
  if (name.length > MAX_NAME) throw new Error(`“${name}” has more than ${MAX_NAME} characters`)
  if (kind === kinds.boolean && mark)
    throw new Error(`“${name}” is boolean, so it cannot be optional: remove the question mark`)
  if (kind.link?.onDelete === 'clear' && mark === '')
    throw new Error(`“${name}” cannot be cleared: add a question mark to make the field optional`)
  const words = name.split('_').map(capitalize)
  return {
    name: kind.link ? `${name}_id` : name,
    kind,
    isNullable: mark !== '',
    label: words.join(' '),
    pascal: words.join(''),
  }
}

function toKind(name: string, parameters: string | undefined): Kind {
  if (parameters !== undefined && Object.hasOwn(kindsWithParameters, name))
    return kindsWithParameters[name]?.(parameters.split(',').map((one) => one.trim())) as Kind
  if (parameters === undefined && Object.hasOwn(kinds, name)) return kinds[name as keyof typeof kinds]
  throw new Error(`“${name}” is not a kind of field: use ${kindNames}`)
}

export const isOptional = ({ kind, isNullable }: Field): boolean => isNullable || kind.initial !== undefined

export const absent = ({ kind, isNullable }: Field): unknown => (isNullable ? null : (kind.initial ?? null))

export const besideOf = ({ name, kind }: Field): string[] => (kind.beside ? [kind.beside(name)] : [])

export const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

export const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`

export const object = (entries: (readonly [string, unknown])[]): string =>
  `{ ${entries.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')} }`
