import { hash } from 'node:crypto'

/** The same id for the same text: a UUID of version 8 (RFC 9562, 5.8) with 120 bits of a SHA-256. */
export function derivedId(text: string): string {
  return hash('sha256', text).replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
