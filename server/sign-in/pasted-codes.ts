/**
 * Reads a code as people paste it: with blanks, any dashes, full-width characters and marks of direction.
 * @param text has a limited length, because NFKC of a long text takes long
 * @returns `undefined` for text that cannot be a code, which callers do not count as a wrong code
 */
export function readCode(text: string): { method: 'totp' | 'recovery-code'; code: string } | undefined {
  const code = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')
    .toUpperCase()
  if (/^\d{6}$/.test(code)) return { method: 'totp', code }
  if (/^[A-Z2-7]{16}$/.test(code)) return { method: 'recovery-code', code }
  return undefined
}
