import { type AnyContext, type Context, dbOf, type Services } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { subnets } from '../platform/lib/network-address.ts'
import { limitKey, type LimitName, LIMITS, type Subject } from './table.ts'
import { type Counter, deleteCounters, deleteUses, findUsed, insertUses, type LimitUse } from './queries.ts'

// The counters are in the database, so that servers share them and they survive a restart.

type Names = LimitName | readonly LimitName[]

/** Counts a use of each limit, or nothing if one is used up. @throws DomainError `too-many` for the first such limit */
export async function consume(context: AnyContext, names: Names, subject: Subject): Promise<LimitUse[]> {
  const { uses, full } = await countUse(context, names, subject)
  if (full) throw await refusal(context, full)
  return uses
}

/**
 * Counts a use for each subject in one statement. The limit must be one that refuses nobody.
 * @returns the use of each subject, with the numbers of separate calls
 */
export async function consumeEach(
  context: AnyContext,
  name: LimitName,
  subjects: readonly Subject[],
): Promise<LimitUse[]> {
  const counters = subjects.map((subject) => toCounter(context, name, subject))
  const together = [...Map.groupBy(counters, ({ key }) => key).values()]
  const counted = together.map((same) => ({ ...(same[0] as Counter), number: same.length }))
  const uses = await insertUses(dbOf(context), counted, context.now())
  return counters.flatMap(({ key }, index) => {
    const later = counters.slice(index + 1).filter((counter) => counter.key === key).length
    return uses.filter((use) => use.key === key).map((use) => ({ ...use, used: use.used - later }))
  })
}

/** Counts like `consume`, but returns false where `consume` throws. */
export async function tryConsume(context: AnyContext, names: Names, subject: Subject): Promise<boolean> {
  return (await countUse(context, names, subject)).full === undefined
}

async function countUse(context: AnyContext, names: Names, subject: Subject) {
  const counters = countersOf(context, names, subject)
  const uses = await insertUses(dbOf(context), counters, context.now())
  const full = counters.find(({ key }) => !uses.some((counted) => counted.key === key))
  if (full) await deleteUses(dbOf(context), uses)
  return { uses, full }
}

/** @throws DomainError `too-many` */
export async function requireLeft(context: AnyContext, names: Names, subject: Subject): Promise<void> {
  const [full] = await findFullCounters(context, countersOf(context, names, subject))
  if (full) throw await refusal(context, full)
}

export async function findOverinvited(context: Context, emails: readonly string[]): Promise<string[]> {
  const counters = emails.flatMap((email) =>
    countersOf(context, 'invitation', { email }).map((counter) => ({ ...counter, email })),
  )
  return (await findFullCounters(context, counters)).map(({ email }) => email)
}

export async function forget(context: AnyContext, names: Names, subject: Subject): Promise<void> {
  const keys = countersOf(context, names, subject).map(({ key }) => key)
  await deleteCounters(dbOf(context), keys)
}

export function detailOf(name: LimitName): string {
  return `${LIMITS[name].message}, please try again later`
}

async function findFullCounters<C extends Counter>(context: AnyContext, counters: readonly C[]): Promise<C[]> {
  const keys = counters.map(({ key }) => key)
  const found = await findUsed(dbOf(context), keys, context.now())
  return counters.filter(({ key, max }) => (found.get(key)?.used ?? 0) >= max)
}

async function refusal(context: AnyContext, counter: Counter): Promise<DomainError> {
  return tooManyRequests(counter.name, (await endOf(context, dbOf(context), counter)) - context.now())
}

export function tooManyRequests(name: LimitName, leftMs: number): DomainError {
  return new DomainError('too-many', detailOf(name), { retryAfter: Math.max(1, Math.ceil(leftMs / 1000)) })
}

export async function endOf({ now }: Pick<Services, 'now'>, db: Db, { key }: Counter): Promise<number> {
  return (await findUsed(db, [key], now())).get(key)?.endsAt ?? now()
}

/** Returns the only counter of a limit. Limits by network have several. */
export function toCounter(context: Services, name: LimitName, subject: Subject): Counter {
  const [counter] = countersOf(context, name, subject)
  if (!counter) throw new Error(`The limit ${name} has no counter`)
  return counter
}

function countersOf({ config }: Services, names: Names, subject: Subject): Counter[] {
  const networks = subject.ip === undefined ? [] : subnets(subject.ip)
  return [names].flat().flatMap((name) => {
    const { key, max, window } = LIMITS[name]
    const counted = key.includes('subnets') ? networks : [networks[0]]
    return counted.map((network, width) => {
      const mailbox = subject.email?.replace(/(?<=^[^+]+)\+[^@]*(?=@)/, '')
      const values = { ...subject, mailbox, subnet: network, subnets: network }
      return {
        name,
        key: limitKey(name, ...key.map((part) => values[part] ?? missing(name, part))),
        max: (typeof max === 'number' ? max : max(config)) * 2 ** width,
        window,
      }
    })
  })
}

function missing(name: LimitName, part: string): never {
  throw new Error(`The limit ${name} needs ${part}`)
}
