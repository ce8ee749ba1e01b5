import * as z from 'zod/mini'
import { email } from '@/lib/validation/rules'

/** The most people of one invitation. */
const MAX_ADDRESSES = 50

const separators = /[\s,;]+/

/** The addresses of a text; several only if it has more than one `@`, so that a typed name is not split. */
export function addressesOf(text: string): string[] {
  const parts = text.split(separators).filter((part) => part !== '')
  return parts.filter((part) => part.includes('@')).length > 1 ? parts : [text]
}

/** Several addresses in one text, with the last one still being typed; `null` for a single address. */
export function splitAddresses(text: string): { chips: string[]; typed: string } | null {
  const all = addressesOf(text)
  if (all.length < 2) return null
  const isTyping = !/[\s,;]$/.test(text)
  return isTyping ? { chips: all.slice(0, -1), typed: all.at(-1) ?? '' } : { chips: all, typed: '' }
}

/** Several chips and what is typed after them. A chip that remains alone becomes the text. */
export function joinAddresses(chips: readonly string[], typed = ''): string {
  const isAlone = chips.length === 1 && typed === ''
  return isAlone ? chips.join('') : [...chips, typed].join(', ')
}

/** The addresses of a pasted text, without the names of `"Lovelace, Ada" <ada@example.com>`. */
export function pastedAddresses(text: string): string[] {
  if (!/<[^<>]+@/.test(text)) return text.split(separators).filter((part) => part !== '')
  return text.replaceAll(/"[^"]*"/g, '').match(/[^\s,;<>]+@[^\s,;<>]*/g) ?? []
}

/** Why an address cannot be invited, or `undefined`. @param others that come before it */
export function reasonAgainst(address: string, others: readonly string[]): string | undefined {
  const parsed = z.safeParse(email(), address)
  if (!parsed.success) return parsed.error.issues[0]?.message
  return others.some((other) => keyOf(other) === keyOf(address)) ? 'Given twice' : undefined
}

/** Addresses that differ only in case are one account. */
export const keyOf = (address: string): string => address.normalize('NFKC').toLowerCase()

/** Why several addresses cannot be invited, or `undefined`. @param refused by the server: reasons by key */
export function problemOf(addresses: readonly string[], refused: ReadonlyMap<string, string>): string | undefined {
  if (addresses.length > MAX_ADDRESSES)
    return `At most ${MAX_ADDRESSES} people at a time: remove ${addresses.length - MAX_ADDRESSES}.`
  const bad = addresses.filter(
    (address, index) => refused.has(keyOf(address)) || reasonAgainst(address, addresses.slice(0, index)) !== undefined,
  )
  if (bad.length === 0) return undefined
  return bad.length === 1 ? 'Correct or remove one address.' : `Correct or remove ${bad.length} addresses.`
}
