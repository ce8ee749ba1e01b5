/** The token of a link in a mail, if it has one. */
export function toToken({ token }: Record<string, unknown>): { token?: string } {
  return typeof token === 'string' && token !== '' ? { token } : {}
}
