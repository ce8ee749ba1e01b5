import { demoWhole } from '../demo.ts'
import type { Kind } from './kind.ts'

/** Both databases have 32 bits. */
const BOUNDED = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 }

export const integer: Kind = {
  type: 'number',
  column: 'integer',
  schema: { type: 'integer' },
  bounds: (_, { isNullable }) => ({ ...BOUNDED, type: isNullable ? ['integer', 'null'] : 'integer' }),
  filter: {
    isRange: true,
    schema: BOUNDED,
    rule: () => 'whole()',
    component: 'FilterNumbers',
    attributes: 'read={readWhole}',
  },
  rule: ({ isNullable, bounds, missing }) => `wholeNumber(${isNullable ? bounds : `${bounds}, ${missing}`})`,
  input: { component: 'NumberField', attributes: (bounds) => `bounds={${bounds}}` },
  columnProperties: "kind: 'number', chars: 11",
  cell: (value) => value,
  demo: ({ name }) => demoWhole(name),
}
