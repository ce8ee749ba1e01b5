import type { Kind } from './kind.ts'

export const integer: Kind = {
  type: 'number',
  column: 'integer',
  schema: { type: 'integer' },
  bounds: (_, { isNullable }) => ({
    type: isNullable ? ['integer', 'null'] : 'integer',
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  }),
  rule: ({ isNullable, bounds, missing }) => `wholeNumber(${isNullable ? bounds : `${bounds}, ${missing}`})`,
  input: { component: 'TextField', attributes: () => 'type="number"' },
  cell: (value, { isNullable }) => (isNullable ? `${value} ?? <NotAvailable />` : value),
  demo: () => 'english.number.int({ min: 1, max: 100 })',
  sample: () => ({ least: 1, full: 7, other: 8, wrong: 1.5 }),
}
