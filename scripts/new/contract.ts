import { type Field, isText } from './fields.ts'
import { capitalize, type Names, rename } from './names.ts'

type Schema = Record<string, unknown>
interface Contract {
  tags: { name: string }[]
  paths: Record<string, unknown>
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> }
}

const INTEGERS = { minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** Copies the operations and schemas of items, with the names and fields of the new resource. */
export function addToContract(text: string, names: Names, fields: readonly Field[]): string {
  const contract = JSON.parse(text) as Contract
  const { tags, paths, components } = contract
  const { schemas, parameters } = components
  const noun = capitalize(names.noun)
  const schemaOf = (field: Field) => `${noun}${field.pascal}`

  insertAfter(
    tags,
    ({ name }) => name === 'items',
    renamed(
      tags.filter(({ name }) => name === 'items'),
      names,
    ),
  )
  contract.paths = copyEntries(paths, /^\/api\/v1\/items\//, names)
  components.parameters = copyEntries(parameters, /^ItemSort$/, names)
  const [first] = fields
  const sorts = ['created_at', first?.name ?? ''].flatMap((name) => [name, `-${name}`])
  Object.assign(components.parameters[`${noun}Sort`]?.schema ?? {}, { enum: sorts })

  const all = copyEntries(schemas, /^Items?(Public|Create|Update|Bulk)$/, names)
  const given = Object.fromEntries(
    fields.map((field) => [field.name, isNamed(field) ? refTo(schemaOf(field)) : inline(field)]),
  )
  const { id, owner_id, created_at } = (all.ItemPublic?.properties ?? {}) as Record<string, Schema>
  const shown = Object.fromEntries(fields.map((field) => [field.name, shownAs(field)]))
  const properties = { id, ...shown, owner_id, created_at }
  const needed = fields.filter(({ kind, isNullable }) => kind !== 'boolean' && !isNullable).map(({ name }) => name)
  components.schemas = {
    ...Object.fromEntries(
      Object.entries(all).flatMap(([name, schema]): [string, Schema][] => {
        if (name === 'Description') {
          const own = fields.filter(isNamed)
          return [[name, schema], ...own.map((field): [string, Schema] => [schemaOf(field), named(field, schemas)])]
        }
        return [[name, schema]]
      }),
    ),
    [`${noun}Public`]: { type: 'object', required: Object.keys(properties), properties },
    [`${noun}Create`]: { type: 'object', required: needed, properties: given },
    [`${noun}Update`]: { type: 'object', properties: given },
  }
  return `${JSON.stringify(contract, null, 2)}\n`
}

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Whether the field has a named schema, from which forms take its bounds. */
const isNamed = (field: Field): boolean => isText(field) || field.kind === 'integer'

function named(field: Field, { Title = {}, Description = {} }: Record<string, Schema>): Schema {
  const { kind, isNullable } = field
  if (kind === 'integer') return { type: orNull('integer', isNullable), ...INTEGERS }
  const { maxLength } = kind === 'multiline' ? Description : Title
  return isNullable ? { ...Description, maxLength } : { ...Title, maxLength }
}

function inline({ kind, isNullable }: Field): Schema {
  return kind === 'date' ? { type: orNull('string', isNullable), format: 'date' } : { type: 'boolean' }
}

function shownAs(field: Field): Schema {
  const { kind, isNullable } = field
  if (isText(field)) return { type: orNull('string', isNullable) }
  return kind === 'integer' ? { type: orNull('integer', isNullable) } : inline(field)
}

const orNull = (type: string, isNullable: boolean) => (isNullable ? [type, 'null'] : type)

/** Renames items, but not the keywords of JSON Schema. */
function renamed<Value>(value: Value, names: Names): Value {
  const parts = JSON.stringify(value).split(/("items":\{|"(?:min|max)Items":)/)
  return JSON.parse(parts.map((part, index) => (index % 2 === 0 ? rename(part, names) : part)).join('')) as Value
}

/** Copies the matching entries under new names, and inserts the copies after the last match. */
function copyEntries<Value>(entries: Record<string, Value>, which: RegExp, names: Names): Record<string, Value> {
  const all = Object.entries(entries)
  const own = all.filter(([key]) => which.test(key))
  insertAfter(
    all,
    ([key]) => key === own.at(-1)?.[0],
    own.map(([key, value]): [string, Value] => [rename(key, names), renamed(value, names)]),
  )
  return Object.fromEntries(all)
}

function insertAfter<Value>(list: Value[], isBefore: (value: Value) => boolean, added: Value[]): void {
  const index = list.findIndex(isBefore)
  if (index === -1 || added.length === 0)
    throw new Error('Items were not found in openapi.json: adapt scripts/new/contract.ts')
  list.splice(index + 1, 0, ...added)
}
