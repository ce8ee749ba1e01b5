import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import { type AuditDetails, changesOf } from '../audit/record.ts'
import { type FileFacts, type FileLink, linkFiles } from '../files/rules.ts'
import { type BulkResult, type BulkTargets, changeMany } from '../lists/bulk.ts'
import { exportRows, type ExportTarget } from '../lists/exports.ts'
import type { Named } from '../links/link.ts'
import { nameColumns } from '../links/queries.ts'
import { holdLinked, isLinkedTo, MAX_RELEASED_IN_ALL, nameLinked, noSuchRow, releaseLinks } from '../links/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Only, Page, PageOf } from '../platform/database/lists.ts'
import { DomainError } from '../platform/errors.ts'
import { derivedId } from '../platform/lib/derived-id.ts'
import { type Precondition, requirePrecondition, type Versioned } from '../platform/precondition.ts'
import { type AccountActor, visibleOwner } from '../users/access.ts'
import type { ChangesOf, createResourceTable, Edited, ResourceKey, ResourceRequest, ResourceRow } from './queries.ts'

interface Rules<Row extends ResourceRow, Sort extends string> {
  table: ReturnType<typeof createResourceTable<Row, Sort>>
  /** The singular name at the beginning of an error message: `Item`. */
  name: string
  /** Throws a DomainError to refuse a change, which is then rolled back. @param before absent for a new row */
  check?: (act: Act<AccountActor>, row: Row, before?: Row) => Promise<void> | void
}

type Shown<Row> = Versioned<Named<Row>>

type Given<Values> = { [Name in keyof Values]: FileFacts extends Values[Name] ? FileLink | null : Values[Name] }

const ROWS_AT_ONCE = 200
/** This is less than `ROWS_AT_ONCE`, because a deletion also changes the search index. */
const ROWS_DELETED_AT_ONCE = 50
/** A batch ends after this many rows were changed or deleted because they linked to rows of the batch. */
const ROWS_RELEASED_AT_ONCE = 300

export function createResourceRules<Row extends ResourceRow, Sort extends string>({
  table,
  name,
  check,
}: Rules<Row, Sort>) {
  const noun = name.toLowerCase()
  const [nameField] = table.searched as unknown as readonly [keyof Row & string]

  function notFound(): never {
    throw new DomainError('not-found', `${name} not found`)
  }

  const isRepeatable = table.files.length === 0 && Object.keys(table.links).length === 0

  /** Finds the row of an earlier attempt with the same key, because its files cannot be attached a second time. */
  const findKnown = async (tx: Tx, key: ResourceKey): Promise<Row | undefined> =>
    isRepeatable ? undefined : table.find(tx, key)

  const link = <Values extends object>(act: Act<AccountActor>, rowId: string, values: Values, before: object = {}) =>
    linkFiles(act, { resource: table.table, rowId }, { fields: table.files, values, before })

  async function showAll(db: Db, actor: AccountActor, rows: readonly Row[]): Promise<Shown<Row>[]> {
    const named = await nameLinked(db, table.links, rows, visibleOwner(actor))
    return named.map((row) => ({ ...row, version: table.versionOf(row) }))
  }

  async function show(db: Db, actor: AccountActor, row: Row): Promise<Shown<Row>> {
    const [shown] = await showAll(db, actor, [row])
    return shown as Shown<Row>
  }

  /**
   * Locks rows for their deletion, and clears links to them or deletes the rows that link to them.
   * @param refused gets the reasons of rows that must stay
   * @param gone gets the other rows of this table that are deleted, if the owner sees them
   * @param left how many rows with links may be changed and deleted
   */
  async function release(
    act: Act,
    ids: readonly string[],
    ownerId: string | undefined,
    { refused, gone, left }: { refused: Map<string, string>; gone: Set<string>; left: number },
  ): Promise<{ batch: string[]; free: string[]; number: number }> {
    const batch: string[] = []
    let number = 0
    for (const id of ids) {
      if (number >= ROWS_RELEASED_AT_ONCE) break
      batch.push(id)
      if (!(await table.lockForDeletion(act.tx, { id, ownerId }))) continue
      // An earlier run of the transaction, which was rolled back, may have added the row.
      gone.delete(id)
      try {
        const deletion = { noun, at: act.now(), left: left - number }
        const released = await releaseLinks(act.tx, table.table, id, deletion)
        number += released.number
        for (const row of released.deleted) if (ownerId === undefined || row.owner_id === ownerId) gone.add(row.id)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        refused.set(id, error.message)
      }
    }
    return { batch, free: batch.filter((id) => !refused.has(id)), number }
  }

  function record(
    act: Act,
    row: Row,
    { done, details }: { done: 'create' | 'change' | 'delete'; details?: AuditDetails | undefined },
  ): void {
    act.audit(`${noun}-${done}`, {
      subjectId: row.owner_id,
      details: { id: row.id, [nameField]: row[nameField], ...details },
    })
  }

  return {
    /** @throws DomainError `busy` */
    async list(
      { reads }: Context,
      actor: AccountActor,
      given: ResourceRequest<Sort>,
      page: Page,
      signal?: AbortSignal,
    ): Promise<PageOf<Shown<Row>>> {
      const request = visibleOf(actor, given)
      if (!request) return { data: [], count: 0 }
      const read = async (db: Db): Promise<PageOf<Shown<Row>>> => {
        const { data, count } = await table.list(db, request, page)
        return { data: await showAll(db, actor, data), count }
      }
      return reads.page(actor.user.id, [given, page], read, signal)
    },

    async readRecentlyEdited({ store }: Context, actor: AccountActor, limit: number): Promise<Edited<Shown<Row>>[]> {
      const found = await table.recentlyEdited(store.db, limit, visibleOwner(actor))
      const rows = found.map(({ row }) => row)
      const shown = await showAll(store.db, actor, rows)
      return found.map(({ at }, index) => ({ row: shown[index] as Shown<Row>, at }))
    },

    async export(
      context: Context,
      actor: AccountActor,
      given: ResourceRequest<Sort>,
      target: ExportTarget<Named<Row>>,
    ): Promise<void> {
      const request = visibleOf(actor, given)
      async function* rowsOf(db: Db): AsyncGenerator<Named<Row>[]> {
        if (!request) return
        const names = nameColumns(table.table, table.links, visibleOwner(actor))
        for await (const rows of table.stream(db, request, ROWS_AT_ONCE, names)) yield rows as Named<Row>[]
      }
      await exportRows(context, actor, `${table.table}-export`, rowsOf, target)
    },

    /** @param key for idempotency @throws DomainError `unauthenticated`; `unprocessable` if a linked row is missing */
    async create(
      context: Context,
      actor: AccountActor,
      input: Given<ChangesOf<Row>>,
      key: string | undefined,
    ): Promise<Shown<Row>> {
      const owner_id = actor.user.id
      const id = key === undefined ? uuid() : derivedId(`${owner_id} ${key}`)
      const given = { ...table.initial, ...input, id, owner_id, created_at: context.now() }
      return change(context, actor, {}, async (act) => {
        const known = key !== undefined && (await findKnown(act.tx, { id, ownerId: owner_id }))
        if (known) return show(act.tx, actor, known)
        const [missing] = await holdLinked(act.tx, table.links, given, visibleOwner(actor))
        if (missing !== undefined) throw noSuchRow(missing)
        const row = (await link(act, id, given)) as Row
        const made = await table.insert(act.tx, row)
        if (made === row) {
          await check?.(act, row)
          record(act, row, { done: 'create' })
        }
        return show(act.tx, actor, made)
      })
    },

    /** @throws DomainError `not-found`, also for a row of another owner */
    async read({ store }: Context, actor: AccountActor, id: string): Promise<Edited<Shown<Row>>> {
      const { row, at } = (await table.findEdited(store.db, keyOf(actor, id))) ?? notFound()
      return { row: await show(store.db, actor, row), at }
    },

    /** @throws DomainError `not-found`, `precondition-failed`; `unprocessable` if a newly linked row is missing */
    async update(
      context: Context,
      actor: AccountActor,
      id: string,
      changes: Given<ChangesOf<Row>>,
      precondition: Precondition,
    ): Promise<Shown<Row>> {
      const key = keyOf(actor, id)
      return change(context, actor, {}, async (act) => {
        // A deletion locks the linked row first. Another order here could cause a deadlock.
        const missing = await holdLinked(act.tx, table.links, changes, visibleOwner(actor))
        const before = (await table.lock(act.tx, key)) ?? notFound()
        requirePrecondition(table.versionOf(before), precondition)
        const isNew = (field: string) => changes[field as keyof typeof changes] !== before[field as keyof Row]
        const wrong = missing.find(isNew)
        if (wrong !== undefined) throw noSuchRow(wrong)
        const linked = (await link(act, before.id, changes, before)) as ChangesOf<Row>
        if (!changesOf(before, { ...before, ...linked }, table.fields)) return show(act.tx, actor, before)
        const after = (await table.update(act.tx, key, linked, act.now())) ?? notFound()
        await check?.(act, after, before)
        // The row may be unchanged, because the same time can be written in several ways.
        const details = changesOf(before, after, table.fields)
        if (details) record(act, after, { done: 'change', details })
        return show(act.tx, actor, after)
      })
    },

    /** @throws DomainError `not-found`, `precondition-failed`; `conflict` if links to the row prevent its deletion */
    async delete(context: Context, actor: AccountActor, id: string, precondition: Precondition): Promise<void> {
      const key = keyOf(actor, id)
      await change(context, actor, {}, async (act) => {
        const linked =
          isLinkedTo(table.table) && (await table.lockForDeletion(act.tx, key))
            ? (await releaseLinks(act.tx, table.table, id, { noun, at: act.now() })).words
            : undefined
        const deleted = (await table.delete(act.tx, key)) ?? notFound()
        requirePrecondition(table.versionOf(deleted), precondition)
        record(act, deleted, { done: 'delete', ...(linked !== undefined && { details: { linked } }) })
      })
    },

    async deleteMany(
      context: Context,
      actor: AccountActor,
      targets: BulkTargets<Omit<ResourceRequest<Sort>, 'sort'>>,
      signal: AbortSignal,
    ): Promise<BulkResult> {
      const request = visibleOf<Sort>(actor, targets.filter ?? {})
      const ownerId = visibleOwner(actor)
      /** Rows that were deleted because they linked to a deleted row, in this or an earlier batch. */
      const gone = new Set<string>()
      let left = MAX_RELEASED_IN_ALL
      const bulk = {
        action: `${table.table}-bulk`,
        change: 'delete',
        noun,
        plural: table.table,
        rowsAtOnce: ROWS_DELETED_AT_ONCE,
        find: async (db: Db, only: Only) => (request ? table.findIds(db, request, only) : []),
        isDone: (id: string) => gone.has(id),
        transact: <T>(work: (act: Act<AccountActor>) => Promise<T>) =>
          change(context, actor, ownerId === undefined ? { lock: 'accounts' } : {}, work),
        async apply(act: Act, ids: readonly string[]): Promise<BulkResult> {
          const refused = new Map<string, string>()
          async function releaseSome(some: readonly string[]) {
            const released = await release(act, some, ownerId, { refused, gone, left })
            act.afterCommit(() => (left -= released.number))
            return released
          }
          const prepare = isLinkedTo(table.table) ? releaseSome : undefined
          const { batch, deleted } = await table.deleteMany(act.tx, ids, ownerId, prepare)
          const kept = batch.filter((id) => !deleted.has(id) && !gone.has(id))
          return {
            changed: batch.length - kept.length,
            unchanged: 0,
            refused: kept.map((id) => ({ id, detail: refused.get(id) ?? `${name} not found` })),
          }
        },
      } as const
      return changeMany(context, actor, targets, bulk, signal)
    },
  }
}

/** @returns `undefined` if the actor asks for rows of another owner and may not see them */
function visibleOf<Sort extends string>(actor: AccountActor, given: ResourceRequest<Sort>) {
  const visible = visibleOwner(actor)
  const { owner_id = visible } = given
  return visible === undefined || owner_id === visible ? { ...given, owner_id } : undefined
}

function keyOf(actor: AccountActor, id: string): ResourceKey {
  return { id, ownerId: visibleOwner(actor) }
}
