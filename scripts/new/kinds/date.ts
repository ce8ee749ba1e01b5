import { demoDate } from '../demo.ts'
import type { Kind } from './kind.ts'

/** Years have four digits: 26 is a slip. */
const day = { type: 'string', format: 'date', pattern: '^[1-9]' }

export const date: Kind = {
  type: 'string',
  column: 'date',
  schema: day,
  filter: {
    isRange: true,
    schema: day,
    rule: () => 'day()',
    component: 'FilterDays',
  },
  rule: ({ isNullable, missing }) => `day(${isNullable ? '' : missing})`,
  input: { component: 'DateField' },
  columnProperties: "kind: 'time', chars: 10",
  cell: (value) => `${value} && dayText(${value})`,
  demo: ({ name, at }) => `${demoDate(name, at)}.toISOString().slice(0, 10)`,
}
