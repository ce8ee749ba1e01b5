import type { Kind } from './kind.ts'

/** A text of one line. */
export const text: Kind = {
  type: 'string',
  column: 'text',
  schema: { type: 'string' },
  bounds: ({ Title, Description }, { isNullable }) =>
    isNullable ? { ...Description, maxLength: Title.maxLength } : Title,
  isSearched: true,
  rule: ({ isNullable, bounds, missing }) =>
    isNullable ? `optionalText(${bounds})` : `requiredText(${missing}, ${bounds})`,
  input: { component: 'TextField' },
  cell: (value, { isNullable }) => {
    const shown = `<UserText show="two lines">{${value}}</UserText>`
    return isNullable ? `${value} ? ${shown} : <NotAvailable />` : shown
  },
  demo: () => 'english.commerce.productName()',
  sample: (name, noun, { isNullable }) => ({
    least: `Some ${noun}`,
    full: `Quick ${name}`,
    other: `Lazy ${name}`,
    wrong: isNullable ? 12345 : '   ',
  }),
}
