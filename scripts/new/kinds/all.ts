import { boolean } from './boolean.ts'
import { date } from './date.ts'
import { integer } from './integer.ts'
import { multiline } from './multiline.ts'
import { text } from './text.ts'

export const kinds = { text, multiline, integer, boolean, date }
