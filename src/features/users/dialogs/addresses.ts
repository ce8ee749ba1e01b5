import * as z from 'zod/mini'
import { email } from '@/lib/validation/rules'
import { findMailboxes, type Mailbox } from './mailboxes'

const rule = email()

/** The most people of one invitation. */
export const MAX_ADDRESSES = 50

/** The most characters of a list of addresses, far more than the most people need. */
const MAX_LENGTH = 64 * 1024

/** The people of a text; several only if it has more than one `@`, so that a typed name is not split. */
export function addressesOf(text: string): Mailbox[] {
  return severalIn(text) ?? [{ address: text, name: null }]
}

function severalIn(text: string) {
  if (text.length > MAX_LENGTH) return undefined
  const found = findMailboxes(text)
  return found.filter(({ address }) => address.includes('@')).length > 1 ? found : undefined
}

/** Several people in one text, with the last one still being typed; `null` for a single address. */
export function splitAddresses(text: string): { chips: Mailbox[]; typed: string } | null {
  const several = severalIn(text)
  const last = several?.at(-1)
  if (!several || !last) return null
  // A blank ends an address, but not a name.
  const isTyping = !(last.address.includes('@') ? /[\s,;，；、>]$/ : /[\n,;，；、]$/).test(text)
  return isTyping ? { chips: several.slice(0, -1), typed: text.slice(last.from) } : { chips: several, typed: '' }
}

/** Several chips and what is typed after them. A chip that remains alone becomes the text. */
export function joinAddresses(chips: readonly Mailbox[], typed = ''): string {
  const texts = chips.map(({ address, name }) => (name === null ? address : `"${name}" <${address}>`))
  // After commas, a name could be the half of one.
  return chips.length < 2 && typed === '' ? texts.join('') : [...texts, typed].join('; ')
}

/** The people of a pasted text, or `undefined` if it is too long. */
export function pastedAddresses(text: string): Mailbox[] | undefined {
  return text.length > MAX_LENGTH ? undefined : findMailboxes(text)
}

/** Why each person cannot be invited, or `undefined`. */
export function reasonsAgainst(people: readonly Mailbox[]): (string | undefined)[] {
  const before = new Set<string>()
  return people.map(({ address }) => {
    const key = keyOf(address)
    const isRepeated = before.has(key)
    before.add(key)
    return z.safeParse(rule, address).error?.issues[0]?.message ?? (isRepeated ? 'Given twice' : undefined)
  })
}

/** Addresses that differ only in case are one account. Longer texts are no addresses. */
export const keyOf = (address: string): string => address.slice(0, 1024).normalize('NFKC').toLowerCase()

/** Why several people cannot be invited, or `undefined`. @param refused by the server: reasons by key */
export function problemOf(people: readonly Mailbox[], refused: ReadonlyMap<string, string>): string | undefined {
  if (people.length > MAX_ADDRESSES)
    return `At most ${MAX_ADDRESSES} people at a time: remove ${people.length - MAX_ADDRESSES}.`
  const reasons = reasonsAgainst(people)
  const bad = people.filter(({ address }, index) => refused.has(keyOf(address)) || reasons[index] !== undefined)
  if (bad.length === 0) return undefined
  return bad.length === 1 ? 'Correct or remove one address.' : `Correct or remove ${bad.length} addresses.`
}
