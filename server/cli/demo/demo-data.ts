import { v7 as uuid } from 'uuid'
import type { Item } from '../../store/items.ts'
import type { NewUser } from '../../store/users.ts'
import { cultures, goods, hosts, notes, occasions, places, things, verbs } from './demo-words.ts'
import { emailKey } from '../../lib/email-address.ts'

// The same number always gives the same account or item, whatever else is made: nothing here is random or looks at a clock.

/** Accounts are of one year, and items of the next, so that no item is older than its owner. */
const YEAR_MS = 365 * 86_400_000
const USERS_SINCE = Date.UTC(2024, 0, 1)
const ITEMS_SINCE = Date.UTC(2025, 0, 1)

/** Multiples of the golden ratio, without what is before the point, lie evenly however many are taken. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** When an account or item was made, in milliseconds since 1970. */
export function demoTime(kind: 'users' | 'items', index: number): number {
  const since = kind === 'users' ? USERS_SINCE : ITEMS_SINCE
  return since + Math.floor((((index + 1) * GOLDEN) % 1) * YEAR_MS)
}

/** An account; most are active and have a name. The first does and is. */
export function demoUser(index: number, passwordHash: string): NewUser {
  const chance = dice(`user ${index}`)
  const { given, family, familyFirst } = chance.oneOf(cultures)
  const [first, last] = [spell(chance.oneOf(given)), spell(chance.oneOf(family))]
  const name = familyFirst ? `${last.written} ${first.written}` : `${first.written} ${last.written}`
  const email = `${first.latin}.${last.latin}.${index + 1}@${chance.oneOf(hosts)}`
  return {
    id: demoUserId(index),
    email,
    email_key: emailKey(email),
    full_name: index > 0 && chance.happens(0.08) ? null : name,
    password_hash: passwordHash,
    is_active: index === 0 || !chance.happens(0.1),
    is_superuser: false,
    created_at: demoTime('users', index),
  }
}

/** @param owners the first so many accounts share the items: the first of them has the most */
export function demoItem(index: number, owners: number): Item {
  const chance = dice(`item ${index}`)
  const owner = Math.floor(owners * chance.next() ** 2)
  const title = chance.happens(0.6)
    ? `${chance.oneOf(verbs)} ${chance.oneOf(things)} ${chance.oneOf(occasions)}`
    : `${chance.oneOf(goods)} – ${chance.oneOf(places)}, shelf ${1 + Math.floor(chance.next() * 12)}`
  const sentences = chance.happens(0.3)
    ? []
    : [chance.oneOf(notes), ...(chance.happens(0.3) ? [chance.oneOf(notes)] : [])]
  return {
    id: idOf(`item ${index}`, demoTime('items', index)),
    owner_id: demoUserId(owner),
    title,
    description: sentences.length === 0 ? null : [...new Set(sentences)].join(' '),
    created_at: demoTime('items', index),
  }
}

function demoUserId(index: number): string {
  return idOf(`user ${index}`, demoTime('users', index))
}

function idOf(name: string, msecs: number): string {
  const chance = dice(`id of ${name}`)
  return uuid({ msecs, random: Uint8Array.from({ length: 16 }, () => chance.next() * 256) })
}

function spell(name: string): { written: string; latin: string } {
  const [written = '', given] = name.split('/')
  return { written, latin: given ?? toLatin(written) }
}

const letters: Record<string, string> = { æ: 'ae', ø: 'o', ł: 'l', ı: 'i' }

function toLatin(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[æøłı]/g, (letter) => letters[letter] ?? '')
}

/** Numbers that look random and are the same for the same seed: FNV-1a to begin with, then mulberry32. */
function dice(seed: string) {
  let state = 0x811c9dc5
  for (let i = 0; i < seed.length; i += 1) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193)
  /** At least 0 and below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    happens: (probability: number): boolean => next() < probability,
    oneOf<T>(list: readonly T[]): T {
      const found = list[Math.floor(next() * list.length)]
      if (found === undefined) throw new Error('There is nothing to choose from')
      return found
    },
  }
}
