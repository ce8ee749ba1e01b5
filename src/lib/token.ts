import * as z from 'zod/mini'
import { optional } from './search-params'

/** The token of a link in a mail, without what programs put behind it: blanks, `%20`, a full stop, `>`. */
export const tokenSearch = z.object({
  token: optional(
    z.pipe(
      z.string(),
      z.transform((token) => /[\w-]+/.exec(token.slice(0, 200))?.[0]),
    ),
  ),
})
