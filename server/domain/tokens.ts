import { hash, randomBytes } from 'node:crypto'

/** A secret nobody can guess: 256 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token. A plain digest is enough: the token is random, so there is nothing to guess (ASVS 11.4). */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
