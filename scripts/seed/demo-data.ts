import { base, de, en, es, Faker, fr, ja, pl, ru, tr, vi } from '@faker-js/faker'
import { v7 as uuid } from 'uuid'
import { seededRandom } from './random.ts'
import type { FileFacts } from '../../server/files/rules.ts'
import type { ResourceRow } from '../../server/resource/queries.ts'

// An index always gives the same account or row. Only its times depend on `now`.

const AGE_MS = 2 * 365 * 86_400_000
/** Ids contain a time. A constant keeps them the same on every day. */
const IDS_SINCE = Date.UTC(2024, 0, 1)

/** Fractional parts of its multiples are evenly distributed, for any number of rows. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

let random = seededRandom('')
let rowIndex = 0

/** Replaces Faker's generator, which is slow to seed for every row. */
const randomizer = { next: () => random(), seed: () => undefined }
/** Makes the same choices for the same row. @public */
export const english = new Faker({ locale: [en, base], randomizer })
const languages = [de, es, fr, pl, tr, vi, ja, ru].map(
  (locale) => new Faker({ locale: [locale, en, base], randomizer }),
)
const hosts = ['example.com', 'example.org', 'example.net']

/** A time without seconds, as people type it. @public */
export const toMinute = (date: Date): string => `${date.toISOString().slice(0, 16)}:00.000Z`

/** The relative age of an account or row, from the oldest (0) to the newest (1). */
export function demoPosition(index: number): number {
  return ((index + 1) * GOLDEN) % 1
}

function createdAt(userIndex: number, now: number): number {
  return now - Math.ceil((1 - demoPosition(userIndex)) * AGE_MS)
}

/** Makes an account. Most are active and have a name. The first one always does, so that people can log in. */
export function demoUser(index: number, passwordHash: string, now: number) {
  random = seededRandom(`user ${index}`)
  const { helpers, person } = english
  const { person: own } = helpers.maybe(() => helpers.arrayElement(languages), { probability: 0.4 }) ?? english
  const name = `${own.firstName()} ${own.lastName()}`
  // Names in other scripts have no Latin letters, so their addresses use random names.
  const latin = [name, `${person.firstName()} ${person.lastName()}`].map(toLatin).find((text) => /\w\.\w/.test(text))
  const created_at = createdAt(index, now)
  const isInvited = index > 0 && random() < 0.03
  const email = `${latin}.${index + 1}@${helpers.arrayElement(hosts)}`
  const full_name = index > 0 && random() < 0.08 ? null : name
  const is_active = index === 0 || random() >= 0.1
  const last_active_at =
    isInvited || random() < 0.15 ? null : created_at + Math.floor(random() ** 0.2 * (now - created_at))
  return {
    id: idOf('user', index),
    email,
    full_name,
    password_hash: isInvited ? null : passwordHash,
    is_active,
    is_superuser: false,
    created_at,
    last_active_at,
    // The first log-in needs the link of the invitation, which confirms the address.
    email_confirmed_at: last_active_at === null ? null : created_at,
  }
}

/**
 * Makes the common fields of a row, and seeds `english` for its other fields. @public
 * @param owners the number of accounts that own rows; the first ones own the most
 * @param able the accounts that may own it; by default all
 */
export function beginRow(
  noun: string,
  index: number,
  owners: number,
  now: number,
  able?: readonly number[],
): ResourceRow {
  random = seededRandom(`${noun} ${index}`)
  rowIndex = index
  const place = Math.floor((able?.length ?? owners) * random() ** 2)
  const owner = able?.[place] ?? place
  const since = createdAt(owner, now)
  const created_at = since + Math.ceil(demoPosition(index) * (now - since))
  return { id: idOf(noun, index), owner_id: idOf('user', owner), created_at }
}

/** As `beginRow`, for a row that must link to rows of other tables: its owner has some in each. @public */
export function beginLinkedRow(
  noun: string,
  index: number,
  owners: number,
  now: number,
  tables: readonly string[],
): ResourceRow | undefined {
  const key = `${owners} ${tables.join(' ')}`
  const able = ableOwners.get(key) ?? Array.from({ length: owners }, (_, owner) => owner).filter(isAble)
  function isAble(owner: number): boolean {
    const id = idOf('user', owner)
    return tables.every((table) => linkable.get(table)?.has(id))
  }
  ableOwners.set(key, able)
  return able.length === 0 ? undefined : beginRow(noun, index, owners, now, able)
}

const ableOwners = new Map<string, number[]>()

const linkable = new Map<string, Map<string, { id: string }[]>>()

export function rememberLinkable(table: string, rows: readonly { id: string; owner_id: string }[]): void {
  ableOwners.clear()
  linkable.set(
    table,
    Map.groupBy(rows, ({ owner_id }) => owner_id),
  )
}

/** Picks a row of the same owner. @returns its id @public */
export function demoLink(table: string, ownerId: string): string | undefined {
  const rows = linkable.get(table)?.get(ownerId) ?? []
  return rows[Math.floor(random() * rows.length)]?.id
}

/** Few, because each file is stored separately, which is slow. */
const MAX_ROWS_WITH_FILES = 100

/** Makes a file for the first rows, and none for others. @public */
export function demoFile(): FileFacts | null {
  if (rowIndex >= MAX_ROWS_WITH_FILES) return null
  const name = `${english.commerce.product().toLowerCase()}.txt`
  const id = uuid({ msecs: IDS_SINCE, random: Uint8Array.from({ length: 16 }, () => random() * 256) })
  return { id, name, type: 'application/octet-stream', size: demoContent({ name }).length }
}

/** The content of a demo file. It is plain text, but its type is that of any bytes. */
export const demoContent = ({ name }: Pick<FileFacts, 'name'>) => new TextEncoder().encode(`This is ${name}.\n`)

function idOf(noun: string, index: number): string {
  const next = seededRandom(`id of ${noun} ${index}`)
  const msecs = IDS_SINCE + Math.floor(demoPosition(index) * AGE_MS)
  return uuid({ msecs, random: Uint8Array.from({ length: 16 }, () => next() * 256) })
}

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
