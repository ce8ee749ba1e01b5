import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { subnets } from '../platform/lib/network-address.ts'
import { limitKey, type LimitName, LIMITS, type Subject } from './table.ts'
import { type Counter, deleteCounters, deleteUse, findUsed, insertUse, type Use } from './queries.ts'

// The counters are in the database, so that servers share them and they survive a restart.

type Names = LimitName | readonly LimitName[]

/** Counts a use of each limit, in their order. @throws DomainError `too-many` for the first that has none left */
export async function consume(context: Context, db: Db, names: Names, subject: Subject): Promise<Use[]> {
  const uses: Use[] = []
  for (const counter of countersOf(context, names, subject)) {
    const use = await insertUse(db, counter, context.now())
    if (!use) throw await refusal(context, db, counter)
    uses.push(use)
  }
  return uses
}

/** As `consume`. @returns false where that throws */
export async function tryConsume(context: Context, db: Db, names: Names, subject: Subject): Promise<boolean> {
  for (const counter of countersOf(context, names, subject)) {
    if (!(await insertUse(db, counter, context.now()))) return false
  }
  return true
}

/** Takes back what turned out not to count. */
export async function refund(db: Db, uses: readonly Use[]): Promise<void> {
  for (const use of uses) await deleteUse(db, use)
}

/** Requires that each limit has a use left. @throws DomainError `too-many` */
export async function requireLeft(context: Context, db: Db, names: Names, subject: Subject): Promise<void> {
  const [full] = await findFull(context, db, countersOf(context, names, subject))
  if (full) throw await refusal(context, db, full)
}

/** @returns the addresses that may get no invitation now */
export async function findOverinvited(context: Context, emails: readonly string[]): Promise<string[]> {
  const counters = emails.flatMap((email) =>
    countersOf(context, 'invitation', { email }).map((counter) => ({ ...counter, email })),
  )
  return (await findFull(context, context.store.db, counters)).map(({ email }) => email)
}

/** Forgets all uses. */
export async function forget(context: Context, db: Db, names: Names, subject: Subject): Promise<void> {
  const keys = countersOf(context, names, subject).map(({ key }) => key)
  await deleteCounters(db, keys)
}

export function detailOf(name: LimitName): string {
  return `${LIMITS[name].message}, please try again later`
}

async function findFull<C extends Counter>({ now }: Context, db: Db, counters: readonly C[]): Promise<C[]> {
  const keys = counters.map(({ key }) => key)
  const found = await findUsed(db, keys, now())
  return counters.filter(({ key, max }) => (found.get(key)?.used ?? 0) >= max)
}

async function refusal(context: Context, db: Db, counter: Counter): Promise<DomainError> {
  const left = (await endOf(context, db, counter)) - context.now()
  return tooMany(counter.name, left)
}

/** @param leftMs until the window ends */
export function tooMany(name: LimitName, leftMs: number): DomainError {
  return new DomainError('too-many', detailOf(name), { retryAfter: Math.max(1, Math.ceil(leftMs / 1000)) })
}

/** When the window of a counter ends, if there is one. */
export async function endOf({ now }: Pick<Context, 'now'>, db: Db, { key }: Counter): Promise<number> {
  return (await findUsed(db, [key], now())).get(key)?.endsAt ?? now()
}

/** The counter of a limit that does not count by network. */
export function toCounter(context: Context, name: LimitName, subject: Subject): Counter {
  const [counter] = countersOf(context, name, subject)
  if (!counter) throw new Error(`The limit ${name} has no counter`)
  return counter
}

function countersOf({ config }: Context, names: Names, subject: Subject): Counter[] {
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
