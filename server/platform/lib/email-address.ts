import { domainToASCII } from 'node:url'
import contract from '../../../openapi.json' with { type: 'json' }

const { 'x-pattern': pattern, maxLength } = contract.components.schemas.Email
const expression = new RegExp(pattern, 'u')

/**
 * UTF-16 units beyond which a text is cut instead of normalized, which takes time quadratic in the length. The result
 * is still longer than any address.
 */
const MAX_UNITS = 1024

/** Whether a text, once normalized, is an address by the contract's rule. */
export function isEmailAddress(text: string): boolean {
  const address = normalizeAddress(text)
  return address.length <= maxLength && expression.test(address)
}

/**
 * The form in which addresses are compared: in lower case, and the domain as mail servers see it, so that
 * `bücher.example` and `xn--bcher-kva.example` are one. The database cannot do it, as SQLite's `lower()` knows ASCII
 * only. NFKC makes equal what different keyboards produce for the same address. NUL and unpaired surrogates, which
 * databases do not store as text, become a character that no address contains.
 */
export function emailKey(address: string): string {
  const text = normalizeAddress(address)
  const at = text.lastIndexOf('@') + 1
  return `${fold(text.slice(0, at))}${asciiDomain(text.slice(at)) ?? fold(text.slice(at))}`
}

/** Whether two spellings mean the same mailbox. */
export function isSameMailbox(one: string, other: string): boolean {
  return emailKey(one) === emailKey(other)
}

/** @returns `undefined` for an ASCII one, and for what is no domain: the conversion would read a URL in it */
function asciiDomain(domain: string): string | undefined {
  if (/^[\0-\x7F]*$/.test(domain) || !/^[\p{L}\p{N}\p{M}.-]+$/u.test(domain)) return undefined
  return domainToASCII(domain) || undefined
}

function fold(text: string): string {
  return normalizeAddress(text.toLowerCase()).toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The form in which an address is stored and mailed to, so that equal addresses are never two mailboxes. */
export function normalizeAddress(address: string): string {
  const text = address.trim()
  return text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text.normalize('NFKC').trim()
}
