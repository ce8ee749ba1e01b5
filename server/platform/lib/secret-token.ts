import { hash, hkdfSync, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './encryption.ts'

/** A secret of 256 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored digest of a token. It needs no salt or key, because the token is random (ASVS 11.4). */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** Encrypts a text so that only the token opens it, not the digest of the token that is stored beside it. */
export function encryptWith(token: string, text: string): string {
  return encrypt(keyOf(token), Buffer.from(text))
}

/** @throws Error if it was encrypted with another token */
export function decryptWith(token: string, encrypted: string): string {
  return decrypt(keyOf(token), encrypted).toString()
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'what a token carries', 32))
}
