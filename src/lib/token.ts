/** The token of a link in a mail, without what programs put behind it: blanks, `%20`, a full stop, `>`. */
export function toToken({ token }: Record<string, unknown>): { token?: string } {
  const found = typeof token === 'string' ? /[\w-]+/.exec(token.slice(0, 200))?.[0] : undefined
  return found === undefined ? {} : { token: found }
}
