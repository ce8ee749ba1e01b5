import type { Kind } from './kind.ts'

/** Years have four digits: 26 is a slip. */
const day = { type: 'string', format: 'date', pattern: '^[1-9]' }

/** A day, without a time. */
export const date: Kind = {
  type: 'string',
  column: 'date',
  schema: day,
  filter: {
    isRange: true,
    schema: day,
    rule: () => 'day()',
    component: 'FilterDays',
    sample: '2026-11-21',
  },
  rule: ({ isNullable, missing }) => `day(${isNullable ? '' : missing})`,
  input: { component: 'DateField' },
  columnProperties: "kind: 'time', chars: 10",
  cell: (value) => `${value} && dayText(${value})`,
  demo: (createdAt) => `english.date.soon({ days: 90, refDate: ${createdAt} }).toISOString().slice(0, 10)`,
  texts: { shown: (value) => `dayText(${value})` },
  sample: () => ({ least: '2026-01-31', full: '2026-11-21', other: '2026-12-01', wrong: '0026-11-21' }),
}
