import { domainToASCII } from 'node:url'
import contract from '../../../openapi.json' with { type: 'json' }

const { 'x-pattern': pattern, maxLength } = contract.components.schemas.Email
const expression = new RegExp(pattern, 'u')

/** Longer text is cut, because normalization takes quadratic time. The cut text is still longer than any address. */
const MAX_UNITS = 1024

/** Whether a text, once normalized, is an address by the pattern and length in openapi.json. */
export function isEmailAddress(text: string): boolean {
  const address = normalizeAddress(text)
  return address.length <= maxLength && expression.test(address)
}

/**
 * The form in which addresses are compared: in lower case, with the domain in ASCII, so that `bücher.example` and
 * `xn--bcher-kva.example` are equal. NFKC unites what different keyboards produce for the same address. NUL and
 * unpaired surrogates, which databases cannot store, become a character that no address contains.
 */
export function emailKey(address: string): string {
  const lower = normalizeAddress(normalizeAddress(address).toLowerCase())
  const folded = lower.toWellFormed().replaceAll('\0', '\uFFFD')
  const at = folded.lastIndexOf('@') + 1
  const domain = folded.slice(at)
  return `${folded.slice(0, at)}${asciiDomain(domain) ?? domain}`
}

/** Whether two spellings mean the same mailbox. Equal keys may still be different domains (RFC 5894, 7.2). */
export function isSameMailbox(one: string, other: string): boolean {
  return emailKey(one) === emailKey(other) && mailDomainOf(one) === mailDomainOf(other)
}

function mailDomainOf(address: string): string {
  const text = normalizeAddress(address)
  return domainToASCII(text.slice(text.lastIndexOf('@') + 1))
}

/** @returns `undefined` for an ASCII domain, and for other text, which `domainToASCII` would read as a URL */
function asciiDomain(domain: string): string | undefined {
  if (/^[\0-\x7F]*$/.test(domain) || !/^[\p{L}\p{N}\p{M}.-]+$/u.test(domain)) return undefined
  return domainToASCII(domain) || undefined
}

/** The form in which an address is stored and mailed to, so that equal addresses are never two mailboxes. */
export function normalizeAddress(address: string): string {
  const text = address.trim()
  return text.length > MAX_UNITS ? text.slice(0, MAX_UNITS) : text.normalize('NFKC').trim()
}
