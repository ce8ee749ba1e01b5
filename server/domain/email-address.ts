import contract from '../../openapi.json' with { type: 'json' }

const { pattern, maxLength } = contract.components.schemas.Email

/** Whether a text, in the form in which it would be kept, is an address by the rule of the contract. */
export function isEmailAddress(text: string): boolean {
  const address = normalizeAddress(text)
  return address.length <= maxLength && new RegExp(pattern, 'u').test(address)
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

/** The form in which an address is kept, and mailed to: what is compared as equal must not be two mailboxes. */
export function normalizeAddress(address: string): string {
  return address.normalize('NFKC').trim()
}
