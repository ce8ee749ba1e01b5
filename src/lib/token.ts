import * as z from 'zod/mini'
import { optional } from './search-params'

/** The token in a link. Mail programs may append blanks, `%20`, a full stop or `>`. */
export const tokenSearch = z.object({
  token: optional(
    z.pipe(
      z.string(),
      z.transform((token) => /[\w-]+/.exec(token.slice(0, 200))?.[0]),
    ),
  ),
})
