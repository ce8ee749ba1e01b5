import { boolean } from './boolean.ts'
import { choice } from './choice.ts'
import { date } from './date.ts'
import { decimal } from './decimal.ts'
import { file } from './file.ts'
import { integer } from './integer.ts'
import type { Kind } from './kind.ts'
import { link } from './link.ts'
import { multiline } from './multiline.ts'
import { text } from './text.ts'
import { time } from './time.ts'

export const kinds = { text, multiline, integer, boolean, date, time, file }

/** Kinds with parameters, such as `choice(open, done)`. */
export const kindsWithParameters: Record<string, (parameters: readonly string[]) => Kind> = {
  choice,
  decimal,
  link,
}

export const kindNames = [...Object.keys(kinds), 'choice(open, done)', 'decimal(10,2)', 'link(customers, refuse)'].join(
  ', ',
)
