import * as z from 'zod/mini'
import { optional } from './search-params'

/** The token of a link in a mail. Mail programs may add blanks, `%20`, a full stop or `>` behind it. */
export const tokenSearch = z.object({
  token: optional(
    z.pipe(
      z.string(),
      z.transform((token) => /[\w-]+/.exec(token.slice(0, 200))?.[0]),
    ),
  ),
})
