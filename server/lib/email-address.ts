import { domainToASCII } from 'node:url'
import contract from '../../openapi.json' with { type: 'json' }

const { 'x-pattern': pattern, maxLength } = contract.components.schemas.Email
const expression = new RegExp(pattern, 'u')

/**
 * UTF-16 units of a text that can be an address. Normalization takes time that grows with the square of the length, so a
 * longer text is cut instead: what is left is still longer than any address.
 */
const MAX_UNITS = 1024

/** Whether a text, in the form in which it would be kept, is an address by the rule of the contract. */
export function isEmailAddress(text: string): boolean {
  const address = normalizeAddress(text)
  return address.length <= maxLength && expression.test(address)
}

/**
 * The form in which addresses are compared. Done here and not by the database: SQLite's `lower()` knows ASCII only.
 * NFKC, so that one address typed on two keyboards is one address. What no database stores as text (NUL, halves of
 * surrogate pairs) becomes a character that no address has.
 */
export function emailKey(address: string): string {
  const folded = normalizeAddress(normalizeAddress(address).toLowerCase())
  return folded.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Whether two addresses are spellings of one. Letters that compare as equal may still name two domains (RFC 5894, 7.2). */
export function isSameMailbox(one: string, other: string): boolean {
  return emailKey(one) === emailKey(other) && mailDomainOf(one) === mailDomainOf(other)
}

function mailDomainOf(address: string): string {
  const text = normalizeAddress(address)
  return domainToASCII(text.slice(text.lastIndexOf('@') + 1))
}

/** The form in which an address is kept, and mailed to: what is compared as equal must not be two mailboxes. */
export function normalizeAddress(address: string): string {
  const text = address.trim()
  return text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text.normalize('NFKC').trim()
}
