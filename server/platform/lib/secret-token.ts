import { hash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored digest of a token. It needs no salt or key, as the token is random (ASVS 11.4). */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
