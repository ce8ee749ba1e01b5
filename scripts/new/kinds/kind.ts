import type { Named } from '../modules.ts'

export type Schema = Record<string, unknown>

interface Given {
  isNullable: boolean
}

export function withNull({ type, enum: values, ...schema }: Schema): Schema {
  // A schema that is named has it.
  if (type === undefined) return schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) }
}

interface Link {
  to: string
  noun: string
  onDelete: string
}

/** How lists are filtered by a field: docs/decisions/0040-indexed-fields.md. */
export interface Filter {
  /** By the values from … to …, as `due_on_from` and `due_on_to`, and not by one value, as `state`. */
  isRange: boolean
  schema: Schema
  /** The rule of a value in the address, from src/lib/search-params.ts. */
  rule: (name: string) => string
  component: Named
  attributes?: string
}

export const filterNames = ({ name, filter }: { name: string; filter: Filter }): string[] =>
  filter.isRange ? [`${name}_from`, `${name}_to`] : [name]

export const choicesFilter = (values: readonly string[]): Filter => ({
  ...valuesFilter(values),
  schema: {
    type: 'string',
    'x-values': values,
    description: 'One or more values, separated by commas, none twice.',
  },
  rule: () => `choices([${values.map((value) => `'${value}'`).join(', ')}])`,
  component: 'FilterChoices',
})

export const valuesFilter = (values: readonly string[]): Filter => ({
  isRange: false,
  schema: { type: 'string', enum: values },
  rule: () => `choice([${values.map((value) => `'${value}'`).join(', ')}])`,
  component: 'FilterSelect',
})

/** What a kind of field is, in each place. A kind has a file of its own, and a line in kinds/all.ts. What it names has one in modules.ts. */
export interface Kind {
  type: 'string' | 'number' | 'boolean'
  /** Of the column: server/resource/table.ts. */
  column: 'text' | 'integer' | 'flag' | 'date' | 'time' | 'decimal' | 'file' | 'link'
  /** How the database stores a value, if not as it is: an expression of `Form` in server/platform/database/forms.ts. */
  form?: string
  request?: Schema
  link?: Link
  /** The value of rows that existed before the field, and of new ones without it. Absent if the field is then null. */
  initial?: string | boolean
  schema: Schema
  /** A schema for requests, which gets a name so that forms can import its bounds. By default, `schema`. */
  bounds?: (of: { Title: Schema; Description: Schema }, given: Given) => Schema
  isSearched?: true
  /** Present if it has an index, so that lists are filtered and sorted by it. */
  filter?: Filter
  /** The rule of its form field, from src/lib/validation/rules.ts. @param bounds the name of its schema @param missing the message */
  rule: (given: Given & { bounds: string; missing: string }) => string
  /** The component of its form field, and further attributes. @param bounds as for `rule` */
  input: { component: Named; attributes?: (bounds: string) => string }
  /** The text of a value in a form, if it is another one. @param value an expression */
  formValue?: (value: string) => string
  /** A field that answers have beside it, which is a text or null. @param name of the field */
  beside?: (name: string) => string
  /** Its cell in a list, which may be null. @param value an expression @param bounds as for `rule` */
  cell: (value: string, given: Given & { bounds: string }) => string
  /** Further properties of its column: src/components/list/column.ts. */
  columnProperties?: string
  isWide?: true
  /** A random value, as an expression. */
  demo: (of: { name: string; noun: string; at: string }) => string
}
