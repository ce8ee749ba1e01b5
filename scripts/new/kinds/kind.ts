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
  /** The names of their resource. */
  to: string
  noun: string
  /** What happens to a row when the linked one is deleted. */
  onDelete: string
  /** The field with the name of a linked row. */
  nameField: string
  /** The name of the linked row of a sample. */
  nameOf: (value: unknown) => string
}

/** What a kind of field is, in each place. A kind has a file of its own, and a line in kinds/all.ts. */
export interface Kind {
  /** Of a value in rows and in the contract: `string`, `number`, `boolean`, or a union of texts. */
  type: string
  /** Of the column: server/resource/table.ts. */
  column: 'text' | 'integer' | 'flag' | 'date' | 'file' | 'link'
  /** Of a value in requests, if it is another type, and its schema. */
  request?: { type: string; schema: Schema }
  /** Of a link: the rows that it leads to. */
  link?: Link
  /** The value of rows that existed before the field, and of new ones without it. Absent if the field is then null. */
  initial?: string | boolean
  /** Its schema in the contract, without null. */
  schema: Schema
  /** A schema for requests, which gets a name so that forms can import its bounds. By default, `schema`. */
  bounds?: (of: { Title: Schema; Description: Schema }, given: Given) => Schema
  isSearched?: true
  /** The values by which lists are filtered. */
  filter?: readonly string[]
  /** The rule of its form field, from src/lib/validation/rules.ts. @param bounds the name of its schema @param missing the message */
  rule: (given: Given & { bounds: string; missing: string }) => string
  /** The component of its form field, from src/components/form/, and further attributes. @param bounds as for `rule` */
  input: {
    component: 'TextField' | 'CheckboxField' | 'SelectField' | 'FileField' | 'LinkField'
    attributes?: (bounds: string) => string
  }
  /** The text of a value in a form, if it is another one. @param value an expression */
  formValue?: (value: string) => string
  /** A field that answers have beside it, which is a text or null. @param name of the field */
  beside?: (name: string) => string
  /** Its cell in a list. @param value an expression */
  cell: (value: string, given: Given) => string
  /** A random value, as an expression. @param createdAt the time of the row, as an expression */
  demo: (createdAt: string) => string
  /** Different values for tests. `wrong` is rejected. */
  sample: (name: string, noun: string, given: Given) => Record<'least' | 'full' | 'other' | 'wrong', unknown>
  /** How a list shows a value, if not as its text. */
  shown?: (value: unknown) => string
}
