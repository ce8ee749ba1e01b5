import { demoText } from '../demo.ts'
import type { Kind } from './kind.ts'
import { text } from './text.ts'

export const multiline: Kind = {
  ...text,
  bounds: ({ Title, Description }, { isNullable }) =>
    isNullable ? Description : { ...Title, maxLength: Description.maxLength },
  columnProperties: 'minWidth: 12',
  isWide: true,
  input: { component: 'TextField', attributes: () => 'multiline' },
  demo: ({ name, noun }) => demoText(name, noun, true),
}
