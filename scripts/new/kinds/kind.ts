import type { Named } from '../modules.ts'

export type Schema = Record<string, unknown>

interface Given {
  isNullable: boolean
}

/** The schema with null as a further value. */
export function withNull({ type, enum: values, ...schema }: Schema): Schema {
  // A schema that is named has it.
  if (type === undefined) return schema
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) }
}

/** The rows that a link leads to. */
interface Link {
  /** The plural of their resource. */
  to: string
  noun: string
  /** What happens to a row when the linked one is deleted. */
  onDelete: string
}

/** How lists are filtered by a field: docs/decisions/0040-indexed-fields.md. */
export interface Filter {
  /** By the values from … to …, as `due_on_from` and `due_on_to`, and not by one value, as `state`. */
  isRange: boolean
  /** The schema of a value in the contract. */
  schema: Schema
  /** The rule of a value in the address, from src/lib/search-params.ts. */
  rule: (name: string) => string
  /** Its component, and further attributes. */
  component: Named
  attributes?: string
}

/** The names of its parameters. */
export const filterNames = ({ name, filter }: { name: string; filter: Filter }): string[] =>
  filter.isRange ? [`${name}_from`, `${name}_to`] : [name]

/** By some of its values. */
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

/** By one of some values. */
export const valuesFilter = (values: readonly string[]): Filter => ({
  isRange: false,
  schema: { type: 'string', enum: values },
  rule: () => `choice([${values.map((value) => `'${value}'`).join(', ')}])`,
  component: 'FilterSelect',
})

/** What a kind of field is, in each place. A kind has a file of its own, and a line in kinds/all.ts. What it names has one in modules.ts. */
export interface Kind {
  /** Of a value in forms. */
  type: 'string' | 'number' | 'boolean'
  /** Of the column: server/resource/table.ts. */
  column: 'text' | 'integer' | 'flag' | 'date' | 'time' | 'decimal' | 'file' | 'link'
  /** How the database stores a value, if not as it is: an expression of `Form` in server/platform/database/forms.ts. */
  form?: string
  /** The schema of a value in requests, if it is another one. */
  request?: Schema
  /** Of a link: the rows that it leads to. */
  link?: Link
  /** The value of rows that existed before the field, and of new ones without it. Absent if the field is then null. */
  initial?: string | boolean
  /** Its schema in the contract, without null. */
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
  /** Whether a value takes the whole width of the page of a row. */
  isWide?: true
  /** A random value, as an expression. */
  demo: (of: { name: string; noun: string; at: string }) => string
}
