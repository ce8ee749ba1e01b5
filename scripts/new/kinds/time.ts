import { demoDate } from '../demo.ts'
import type { Kind } from './kind.ts'

/** An instant, in UTC in the contract, and in the time zone of the browser on the screen. */
export const time: Kind = {
  type: 'string',
  column: 'time',
  form: "'time'",
  schema: { type: 'string', format: 'date-time' },
  bounds: (_, { isNullable }) => ({
    type: isNullable ? ['string', 'null'] : 'string',
    format: 'date-time',
    maxLength: 64,
    'x-normalize': 'instant',
    description:
      'A time with its zone (RFC 3339), of a year with four digits. Answers have it in UTC, with milliseconds.',
  }),
  filter: {
    isRange: true,
    schema: {
      type: 'string',
      format: 'date-or-time',
      maxLength: 64,
      description: 'A date (UTC), whose whole day is included, or a time with its zone.',
    },
    rule: () => 'dayOrTime()',
    component: 'FilterDays',
    attributes: 'isTime',
  },
  rule: ({ isNullable, missing }) => `instant(${isNullable ? '' : missing})`,
  input: { component: 'TimeField' },
  // As wide as so many digits: `Nov 21, 2026, 12:03 PM`.
  columnProperties: "kind: 'time', chars: 19",
  cell: (value) => `${value} && <Moment time={${value}} />`,
  demo: ({ name, at }) => `toMinute(${demoDate(name, at)})`,
}
