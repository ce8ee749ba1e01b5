import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditAction, by, recordAudit } from '../audit/record.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Match } from '../platform/database/lists.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { DomainError, serverBusy } from '../platform/errors.ts'
import { kindOfRead } from '../platform/list-query.ts'
import { requireLive } from '../sessions/rules.ts'
import type { SessionActor } from '../users/access.ts'

// One request that changes many rows, in batches, so that others get their turn: docs/decisions/0029-many-at-once.md.

/** The rows to change, as in the contract: by their ids, or all that match, with the number that the person saw. */
export interface BulkTargets<Given extends Filter> {
  ids?: readonly string[]
  filter?: Given
  count?: number
}

/** What happened to the rows. The numbers add up to the number of rows. */
export interface BulkResult {
  changed: number
  unchanged: number
  refused: { id: string; detail: string }[]
}

/** What all filters have. */
interface Filter {
  q?: string | undefined
}

interface Bulk {
  action: AuditAction & (`${string}-bulk` | 'users-import')
  /** The name of the change in the audit log. */
  change: string
  noun: string
  plural: string
  /** The most rows of a batch. */
  rowsAtOnce: number
  /** The rows that match the filter. @param only as in `readMatches` */
  find: (db: Db, only: { among: readonly string[] } | { limit: number }) => Promise<readonly Match[]>
  /** Those of the rows that match the filter but perhaps for its words; absent if `find` has no versions. */
  readVersions?: (db: Db, ids: readonly string[]) => Promise<readonly Match[]>
  /** Runs a batch in a transaction. @throws DomainError `unauthenticated` if the session has ended */
  transact: (work: (tx: Tx) => Promise<BulkResult>) => Promise<BulkResult>
  /** Changes rows. @returns what happened to the first of them, at least to one */
  apply: (tx: Tx, ids: readonly string[]) => Promise<BulkResult>
}

const MAX_MATCHES = 10_000
/** After a batch at this time, others get a pause. */
const MAX_CHAIN_MS = 10
const PAUSE_MS = 5
/** Before proxies cut a request that got no answer, which is usually after a minute. */
const MAX_MS = 50_000

/**
 * Changes rows. Each batch is whole. What ends the request before its last batch, such as a stop of the
 * server, leaves the rest as it was.
 * @param signal gives up before the first batch
 * @throws DomainError `unprocessable`; `too-many`; `unauthenticated`; `busy`; `conflict` if the number of matches is not
 * the one that the person saw
 */
export async function changeMany(
  context: Context,
  actor: SessionActor,
  targets: BulkTargets<Filter>,
  bulk: Bulk,
  signal: AbortSignal,
): Promise<BulkResult> {
  requireTargets(targets)
  await consume(context, context.store.db, 'bulk', { user: actor.user.id })
  return context.bulks.run(actor.user.id, () => run(context, actor, targets, bulk, signal), signal)
}

async function run(
  context: Context,
  actor: SessionActor,
  { ids = [], filter, count = 0 }: BulkTargets<Filter>,
  bulk: Bulk,
  signal: AbortSignal,
): Promise<BulkResult> {
  const matches = filter ? await findMatches(context, actor, { ...bulk, filter }, signal) : []
  if (filter) requireCount(count, matches.length, bulk)
  const all = filter ? idsOf(matches) : [...new Set(ids)]

  async function begin(tx: Tx): Promise<void> {
    if (filter) requireCount(count, await countStillMatching(tx, matches, bulk), bulk)
    const details = { action: bulk.change, ...(filter && { filter }), number: all.length }
    await recordAudit(context, tx, { action: bulk.action, details, ...by(actor) })
  }

  const sum: BulkResult = { changed: 0, unchanged: 0, refused: [] }
  let left = all
  const begunAt = performance.now()
  let startedAt = begunAt
  do {
    const isFirst = left === all
    const batch = left.slice(0, bulk.rowsAtOnce)
    const runBatch = async (tx: Tx): Promise<BulkResult> => {
      if (isFirst) await begin(tx)
      const matching = filter && !isFirst ? idsOf(await bulk.find(tx, { among: batch })) : batch
      return applyTo(tx, batch, new Set(matching), bulk)
    }
    const processed = all.length - left.length
    if (context.stopping.aborted) throw processed === 0 ? serverBusy() : stopped(processed, all.length, bulk)
    const part = await bulk.transact(runBatch).catch((error: unknown) => {
      const isOver = error instanceof DomainError && error.kind === 'too-many'
      if (processed === 0 || !(isUnavailable(error) || isOver)) throw error
      throw stopped(processed, all.length, bulk)
    })
    sum.changed += part.changed
    sum.unchanged += part.unchanged
    sum.refused.push(...part.refused)
    left = left.slice(numberOf(part))
    if (left.length > 0 && performance.now() - begunAt >= MAX_MS)
      throw stopped(all.length - left.length, all.length, bulk)
    if (left.length > 0 && performance.now() - startedAt >= MAX_CHAIN_MS) {
      await sleep(PAUSE_MS)
      startedAt = performance.now()
    }
  } while (left.length > 0)
  return sum
}

/** Changes the first rows of a batch, except those that do not match any more. */
async function applyTo(
  tx: Tx,
  batch: readonly string[],
  matching: ReadonlySet<string>,
  { apply, noun }: Bulk,
): Promise<BulkResult> {
  const kept = batch.filter((id) => matching.has(id))
  const result = kept.length === 0 ? { changed: 0, unchanged: 0, refused: [] } : await apply(tx, kept)
  const next = kept[numberOf(result)]
  const others = batch.slice(0, next === undefined ? batch.length : batch.indexOf(next))
  const gone = others.filter((id) => !matching.has(id))
  return { ...result, refused: [...result.refused, ...gone.map((id) => ({ id, detail: `This ${noun} has changed` }))] }
}

const numberOf = ({ changed, unchanged, refused }: BulkResult): number => changed + unchanged + refused.length

/**
 * A body may come long after its headers, and the number of matches is for those who may see them.
 * @throws DomainError `unprocessable` for more than 10,000; `busy`; `unauthenticated`
 */
async function findMatches(
  context: Context,
  actor: SessionActor,
  { find, plural, filter }: Bulk & { filter: Filter },
  signal: AbortSignal,
): Promise<readonly Match[]> {
  const found = await context.reads.run(
    actor.user.id,
    kindOfRead(filter),
    (db) => find(db, { limit: MAX_MATCHES + 1 }),
    signal,
  )
  await requireLive(context, actor)
  if (found.length > MAX_MATCHES) throw unprocessable('filter', `More than 10,000 ${plural} match`)
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Where rows have versions, only those that changed are compared with the filter, as their texts may be long. */
async function countStillMatching(tx: Tx, matches: readonly Match[], { find, readVersions }: Bulk): Promise<number> {
  if (!readVersions) return (await find(tx, { among: idsOf(matches) })).length
  const before = new Map(matches.map(({ id, version }) => [id, version]))
  const now = await readVersions(tx, idsOf(matches))
  const changed = now.filter(({ id, version }) => version !== before.get(id))
  const matching = changed.length === 0 ? [] : await find(tx, { among: idsOf(changed) })
  return now.length - changed.length + matching.length
}

const idsOf = (matches: readonly Match[]): string[] => matches.map(({ id }) => id)

function requireTargets({ ids, filter, count }: BulkTargets<Filter>): void {
  if ((ids === undefined) === (filter === undefined)) throw unprocessable('ids', 'Give either ids or a filter')
  if (filter !== undefined && count === undefined) throw unprocessable('count', 'Field required')
  if (filter === undefined && count !== undefined) throw unprocessable('count', 'Only a filter has a count')
}

function requireCount(seen: number, now: number, { noun, plural }: Bulk): void {
  if (seen === now) return
  const matches = now === 1 ? `${noun} matches` : `${plural} match`
  throw new DomainError('conflict', `The list has changed: ${now} ${matches} now`)
}

function stopped(processed: number, of: number, { plural }: Bulk): DomainError {
  const detail = `Only ${processed} of ${of} ${plural} were processed, please try again for the rest`
  return new DomainError('busy', detail, { retryAfter: 5 })
}

function unprocessable(field: string, message: string): DomainError {
  return new DomainError('unprocessable', message, { field })
}
