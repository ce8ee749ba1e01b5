import { type Kind, valuesFilter } from './kind.ts'

export const boolean: Kind = {
  type: 'boolean',
  column: 'flag',
  form: "'flag'",
  initial: false,
  schema: { type: 'boolean' },
  filter: valuesFilter(['yes', 'no']),
  rule: () => 'z.boolean()',
  input: { component: 'CheckboxField' },
  columnProperties: "kind: 'flag', chars: 3",
  cell: (value) => `${value} ? 'Yes' : 'No'`,
  demo: () => 'english.datatype.boolean()',
}
