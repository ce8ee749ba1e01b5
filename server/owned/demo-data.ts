import { base, de, en, es, Faker, fr, ja, pl, ru, tr, vi } from '@faker-js/faker'
import { v7 as uuid } from 'uuid'
import { seededRandom } from '../platform/lib/random.ts'
import type { NewUser } from '../users/queries.ts'
import type { OwnedRow } from './queries.ts'

// Each index always gives the same account or row, independent of the clock and of other rows.

/** Accounts are created in one year and their rows in the next, so that no row is older than its owner. */
const YEAR_MS = 365 * 86_400_000
const USERS_SINCE = Date.UTC(2024, 0, 1)
const OWNED_SINCE = Date.UTC(2025, 0, 1)
/** The upper bound of `last_active_at`. */
const ACTIVE_UNTIL = Date.UTC(2026, 10, 1)

/** The fractional parts of multiples of the golden ratio are evenly distributed for any number of rows. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

let random = seededRandom('')

/** Faker's own generator is slow to seed for every row. */
const randomizer = { next: () => random(), seed: () => undefined }
/** Its choices depend only on the current row. */
export const english = new Faker({ locale: [en, base], randomizer })
const languages = [de, es, fr, pl, tr, vi, ja, ru].map(
  (locale) => new Faker({ locale: [locale, en, base], randomizer }),
)
const hosts = ['example.com', 'example.org', 'example.net']

/** The creation time of a row, in milliseconds since 1970. */
export function demoTime(table: string, index: number): number {
  const since = table === 'users' ? USERS_SINCE : OWNED_SINCE
  return since + Math.floor((((index + 1) * GOLDEN) % 1) * YEAR_MS)
}

/** Creates an account. Most accounts are active and have a name; the first one always does. */
export function demoUser(index: number, passwordHash: string): Omit<NewUser, 'email_key'> {
  random = seededRandom(`user ${index}`)
  const { helpers, person } = english
  const { person: own } = helpers.maybe(() => helpers.arrayElement(languages), { probability: 0.4 }) ?? english
  const name = `${own.firstName()} ${own.lastName()}`
  // Names in other scripts have no Latin letters, so they get a random name.
  const latin = [name, `${person.firstName()} ${person.lastName()}`].map(toLatin).find((text) => /\w\.\w/.test(text))
  const created_at = demoTime('users', index)
  const isInvited = index > 0 && random() < 0.03
  const email = `${latin}.${index + 1}@${helpers.arrayElement(hosts)}`
  return {
    id: demoUserId(index),
    email,
    full_name: index > 0 && random() < 0.08 ? null : name,
    password_hash: isInvited ? null : passwordHash,
    is_active: index === 0 || random() >= 0.1,
    is_superuser: false,
    created_at,
    last_active_at:
      isInvited || random() < 0.15 ? null : created_at + Math.floor(random() ** 0.5 * (ACTIVE_UNTIL - created_at)),
  }
}

/**
 * Creates the common fields of a row that belongs to an account, and seeds `english` for its other fields.
 * @param owners the number of accounts that own the rows; the first ones own the most
 */
export function beginRow(noun: string, index: number, owners: number): OwnedRow {
  random = seededRandom(`${noun} ${index}`)
  const owner_id = demoUserId(Math.floor(owners * random() ** 2))
  const created_at = demoTime(noun, index)
  return { id: idOf(`${noun} ${index}`, created_at), owner_id, created_at }
}

function demoUserId(index: number): string {
  return idOf(`user ${index}`, demoTime('users', index))
}

function idOf(name: string, msecs: number): string {
  const next = seededRandom(`id of ${name}`)
  return uuid({ msecs, random: Uint8Array.from({ length: 16 }, () => next() * 256) })
}

/** Reduces a name to lower-case Latin letters, with dots between words. */
function toLatin(name: string): string {
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z\s-]/g, '')
  return letters
    .split(/[\s-]+/)
    .filter(Boolean)
    .join('.')
}
