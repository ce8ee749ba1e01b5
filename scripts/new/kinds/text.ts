import { demoText } from '../demo.ts'
import type { Kind } from './kind.ts'

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
  cell: (value) => `${value} && <UserText show="cell">{${value}}</UserText>`,
  demo: ({ name, noun }) => demoText(name, noun),
}
