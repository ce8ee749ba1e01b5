import { type Kind, withNull } from './kind.ts'

/** Whole numbers of so many digits are exact in JavaScript, and so in both databases, which store 12.50 as 1250. */
const MAX_DIGITS = 15

/** A number with a fixed number of digits after the point. @param parameters all digits, and those after the point */
export function decimal(parameters: readonly string[]): Kind {
  const [digits = 0, places = 0] = parameters.map((one) => (/^\d{1,2}$/.test(one) ? Number(one) : 0))
  if (parameters.length !== 2 || places < 1 || digits <= places || digits > MAX_DIGITS)
    throw new Error(
      `A decimal has at most ${MAX_DIGITS} digits, and at least one before and after the point, such as decimal(10,2)`,
    )
  const most = `${'9'.repeat(digits - places)}.${'9'.repeat(places)}`
  const text = { type: 'string', pattern: String.raw`^(?!-0\.0{${places}}$)-?(0|[1-9]\d*)\.\d{${places}}$` }
  const schema = { ...text, 'x-decimal': { minimum: `-${most}`, maximum: most } }
  return {
    type: 'string',
    column: 'decimal',
    form: `{ places: ${places} }`,
    schema,
    bounds: (_, { isNullable }) => ({
      ...(isNullable ? withNull(schema) : schema),
      maxLength: digits + 2,
    }),
    filter: {
      isRange: true,
      // With its sign and point.
      schema: { ...text, maxLength: MAX_DIGITS + 2 },
      rule: () => `decimal(${places})`,
      component: 'FilterNumbers',
      attributes: `read={(typed) => readDecimal(typed, ${places})}`,
    },
    rule: ({ isNullable, bounds, missing }) => `decimal(${isNullable ? bounds : `${bounds}, ${missing}`})`,
    input: { component: 'NumberField', attributes: (bounds) => `bounds={${bounds}}` },
    columnProperties: `kind: 'number', chars: ${digits + 2}`,
    cell: (value) => value,
    demo: () =>
      `english.number.float({ min: 1, max: ${Math.min(10 ** (digits - places) - 1, 999)} }).toFixed(${places})`,
  }
}
