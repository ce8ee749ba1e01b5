import { choicesFilter, type Kind, withNull } from './kind.ts'

const MAX_VALUES = 30
const MAX_LENGTH = 40

/** One of some words, and the first one by default. @param values such as `in_progress` @throws Error for invalid ones */
export function choice(values: readonly string[]): Kind {
  const wrong = values.find((value) => !/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(value) || value.length > MAX_LENGTH)
  if (wrong !== undefined) throw new Error(`“${wrong}” is not a value of a choice: use words such as in_progress`)
  if (new Set(values).size !== values.length) throw new Error('A choice has a value twice')
  const [first, second] = values
  if (first === undefined || second === undefined || values.length > MAX_VALUES)
    throw new Error(`A choice has 2 to ${MAX_VALUES} values, such as choice(open, in_progress, done)`)
  const quoted = values.map((value) => `'${value}'`)
  const schema = { type: 'string', enum: values }
  return {
    type: 'string',
    column: 'text',
    initial: first,
    schema,
    filter: choicesFilter(values),
    bounds: (_, { isNullable }) => (isNullable ? withNull(schema) : schema),
    rule: ({ bounds }) => `oneOf(${bounds})`,
    input: { component: 'SelectField', attributes: (bounds) => `values={${bounds}.enum}` },
    // With the padding of a badge.
    columnProperties: `kind: 'choice', chars: ${Math.max(...values.map(({ length }) => length)) + 2}`,
    cell: (value, { isNullable, bounds }) =>
      `${isNullable ? `${value} && ` : ''}<ChoiceBadge value={${value}} values={${bounds}.enum} />`,
    demo: () => `english.helpers.arrayElement([${quoted.join(', ')}] as const)`,
  }
}
