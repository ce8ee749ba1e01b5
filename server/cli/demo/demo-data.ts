import { base, de, en, es, Faker, fr, ja, pl, ru, tr, vi } from '@faker-js/faker'
import { v7 as uuid } from 'uuid'
import { seededRandom } from '../../lib/random.ts'
import type { OwnedRow } from '../../store/owned.ts'
import type { NewUser } from '../../store/users.ts'

// The same number always gives the same account or row, whatever else is made: nothing here depends on a clock.

/** Accounts are of one year, and what they have is of the next, so that nothing is older than its owner. */
const YEAR_MS = 365 * 86_400_000
const USERS_SINCE = Date.UTC(2024, 0, 1)
const OWNED_SINCE = Date.UTC(2025, 0, 1)
/** No account was used after that. */
const ACTIVE_UNTIL = Date.UTC(2026, 10, 1)

/** The fractional parts of multiples of the golden ratio are evenly distributed for any number of rows. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

let random = seededRandom('')

/** Faker's own generator is slow to seed for every row. */
const randomizer = { next: () => random(), seed: () => undefined }
/** Chooses the same for the same row. */
export const english = new Faker({ locale: [en, base], randomizer })
const languages = [de, es, fr, pl, tr, vi, ja, ru].map(
  (locale) => new Faker({ locale: [locale, en, base], randomizer }),
)
const hosts = ['example.com', 'example.org', 'example.net']

/** When a row was made, in milliseconds since 1970. */
export function demoTime(table: string, index: number): number {
  const since = table === 'users' ? USERS_SINCE : OWNED_SINCE
  return since + Math.floor((((index + 1) * GOLDEN) % 1) * YEAR_MS)
}

/** An account. Most are active and have a name; the first always. */
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
    password_hash: isInvited ? '' : passwordHash,
    is_active: index === 0 || random() >= 0.1,
    is_superuser: false,
    created_at,
    last_active_at:
      isInvited || random() < 0.15 ? null : created_at + Math.floor(random() ** 0.5 * (ACTIVE_UNTIL - created_at)),
  }
}

/**
 * Begins a row that belongs to an account. What is drawn from `english` next is for this row.
 * @param owners so many accounts, from the first on, share the rows: the first has the most
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

/** Lower-case letters, with dots between the words. */
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
