import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditAction } from '../audit/record.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Only } from '../platform/database/lists.ts'
import type { Db } from '../platform/database/store.ts'
import { isUnavailable } from '../platform/database/unavailable.ts'
import { DomainError, serverBusy } from '../platform/errors.ts'
import { readKind } from '../platform/reads.ts'
import type { Act } from '../sessions/change.ts'
import { requireLiveSession } from '../sessions/checks.ts'
import type { AccountActor } from '../users/access.ts'

// One request changes many rows in batches, so that other requests run in between: docs/decisions/0029-many-at-once.md.

/** The rows to change: either `ids`, or all rows that match `filter`. The person saw `count` matches. */
export interface BulkTargets<Given extends Filter> {
  ids?: readonly string[]
  filter?: Given
  count?: number
}

interface Filter {
  q?: string | undefined
}

export interface BulkResult {
  changed: number
  unchanged: number
  refused: { id: string; detail: string }[]
  /** The changed rows, if the change can be undone. */
  changed_ids?: string[]
}

/** A response has at most this many ids, because a request that undoes the change cannot have more. */
const MAX_CHANGED_IDS = 1000

interface Change {
  action: AuditAction & (`${string}-bulk` | 'users-import')
  /** The name of the change in the audit log. */
  change: string
  noun: string
  plural: string
  rowsAtOnce: number
  /** Runs a batch in a transaction. @throws DomainError `unauthenticated` if the session has ended */
  transact: <T>(work: (act: Act<AccountActor>) => Promise<T>) => Promise<T>
  /** Changes the first rows, at least one; the next batch continues. @returns what happened to these rows */
  apply: (act: Act<AccountActor>, ids: readonly string[]) => Promise<BulkResult>
  filter?: Filter
  /** @returns the rows of a batch that still match the filter */
  rematch?: (act: Act, batch: readonly string[], isFirst: boolean) => Promise<readonly string[]>
}

interface Bulk extends Change {
  find: (db: Db, only: Only) => Promise<string[]>
  /** Whether a row that does not match any more was changed together with another row of the request. */
  isDone?: (id: string) => boolean
}

const MAX_MATCHES = 10_000
/** After this time, other requests get a pause between two batches. */
const MAX_CHAIN_MS = 10
const PAUSE_MS = 5
/** Proxies usually cut a request without an answer after a minute. */
const MAX_MS = 50_000

/** @throws DomainError `unprocessable`; `conflict` if the number of matches has changed; what `changeEach` throws */
export async function changeMany(
  context: Context,
  actor: AccountActor,
  targets: BulkTargets<Filter>,
  bulk: Bulk,
  signal: AbortSignal,
): Promise<BulkResult> {
  requireTargets(targets)
  const { ids = [], filter, count } = targets
  if (!filter) return changeEach(context, actor, async () => [...new Set(ids)], bulk, signal)
  let all: string[] = []
  const search = async () => {
    all = await findMatches(context, actor, filter, bulk, signal)
    if (all.length !== count) throw listChanged(all.length, bulk)
    return all
  }
  const rematch: Change['rematch'] = async ({ tx }, batch, isFirst) => {
    const kept = new Set(await bulk.find(tx, { among: batch }))
    if (isFirst && kept.size < batch.length) throw listChanged((await bulk.find(tx, { among: all })).length, bulk)
    return batch.filter((id) => kept.has(id) || bulk.isDone?.(id))
  }
  return changeEach(context, actor, search, { ...bulk, filter, rematch }, signal)
}

/**
 * Changes rows in batches, each in one transaction. If the request ends early, the other rows stay unchanged.
 * @param findIds runs when the queue lets the request begin
 * @throws DomainError `too-many`; `unauthenticated`; `busy`
 */
export async function changeEach(
  context: Context,
  actor: AccountActor,
  findIds: () => Promise<readonly string[]>,
  change: Change,
  signal: AbortSignal,
): Promise<BulkResult> {
  await consume(context, 'bulk', { user: actor.user.id })
  return context.bulks.run(actor.user.id, async () => inBatches(context, await findIds(), change), signal)
}

async function inBatches(
  context: Context,
  all: readonly string[],
  { action, change, noun, plural, rowsAtOnce, transact, apply, filter, rematch }: Change,
): Promise<BulkResult> {
  const sum: BulkResult = { changed: 0, unchanged: 0, refused: [] }
  let left = all
  const begunAt = performance.now()
  let startedAt = begunAt
  do {
    const isFirst = left === all
    const stopped = isFirst ? serverBusy() : notAll(all.length - left.length, all.length, plural)
    if (context.stopping.aborted || performance.now() - begunAt >= MAX_MS) throw stopped
    const batch = left.slice(0, rowsAtOnce)
    const runBatch = async (act: Act<AccountActor>) => {
      const kept = rematch ? await rematch(act, batch, isFirst) : batch
      if (isFirst) act.audit(action, { details: { action: change, ...(filter && { filter }), number: all.length } })
      return { kept, result: kept.length === 0 ? NOTHING : await apply(act, kept) }
    }
    const { kept, result } = await transact(runBatch).catch((error: unknown) => {
      const isOver = error instanceof DomainError && error.kind === 'too-many'
      throw !isFirst && (isUnavailable(error) || isOver) ? stopped : error
    })
    const gone = kept.length === batch.length ? [] : batch.filter((id) => !kept.includes(id))
    sum.changed += result.changed
    sum.unchanged += result.unchanged
    if (result.changed_ids) sum.changed_ids = [...(sum.changed_ids ?? []), ...result.changed_ids]
    sum.refused.push(...result.refused, ...gone.map((id) => ({ id, detail: `This ${noun} has changed` })))
    left = [...kept.slice(numberOf(result)), ...left.slice(batch.length)]
    if (left.length > 0 && performance.now() - startedAt >= MAX_CHAIN_MS) {
      await sleep(PAUSE_MS)
      startedAt = performance.now()
    }
  } while (left.length > 0)
  if (sum.changed > MAX_CHANGED_IDS) delete sum.changed_ids
  return sum
}

const NOTHING: BulkResult = { changed: 0, unchanged: 0, refused: [] }

const numberOf = ({ changed, unchanged, refused }: BulkResult): number => changed + unchanged + refused.length

/** Checks the session after the search, too, because the response shows the number of matches. @throws DomainError */
async function findMatches(
  context: Context,
  actor: AccountActor,
  filter: Filter,
  { find, plural }: Bulk,
  signal: AbortSignal,
): Promise<string[]> {
  const search = (db: Db) => find(db, { limit: MAX_MATCHES + 1 })
  const found = await context.reads.run(actor.user.id, readKind(filter), search, signal)
  await requireLiveSession(context, actor)
  if (found.length > MAX_MATCHES) throw unprocessable('filter', `More than 10,000 ${plural} match`)
  return found.toSorted()
}

function requireTargets({ ids, filter, count }: BulkTargets<Filter>): void {
  if ((ids === undefined) === (filter === undefined)) throw unprocessable('ids', 'Give either ids or a filter')
  if (filter !== undefined && count === undefined) throw unprocessable('count', 'Field required')
  if (filter === undefined && count !== undefined) throw unprocessable('count', 'Only a filter has a count')
}

function listChanged(now: number, { noun, plural }: Bulk): DomainError {
  const matches = now === 1 ? `${noun} matches` : `${plural} match`
  return new DomainError('conflict', `The list has changed: ${now} ${matches} now`)
}

function notAll(processed: number, of: number, plural: string): DomainError {
  const detail = `Only ${processed} of ${of} ${plural} were processed, please try again for the rest`
  return new DomainError('busy', detail, { retryAfter: 5 })
}

function unprocessable(field: string, message: string): DomainError {
  return new DomainError('unprocessable', message, { field })
}
