import * as z from 'zod/mini'
import { textAs } from './search-params'

/** The token in a link. Mail programs may append blanks, `%20`, a full stop or `>`. */
export const tokenSearch = z.object({
  token: textAs((token) => /[\w-]+/.exec(token.slice(0, 200))?.[0]),
})
