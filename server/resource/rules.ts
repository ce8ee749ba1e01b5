import { v7 as uuid } from 'uuid'
import { type AuditDetails, by, changesOf, recordAudit } from '../audit/record.ts'
import { type FileFacts, type FileLink, linkFiles } from '../files/rules.ts'
import { type BulkResult, type BulkTargets, changeMany } from '../lists/bulk.ts'
import { exportRows, type ExportTarget } from '../lists/exports.ts'
import type { Context } from '../platform/context.ts'
import { type Db, takeAccountsLock, type Tx } from '../platform/database/store.ts'
import type { Only, Page, PageOf } from '../platform/database/lists.ts'
import { DomainError } from '../platform/errors.ts'
import { derivedId } from '../platform/lib/derived-id.ts'
import { type Precondition, requirePrecondition } from '../platform/precondition.ts'
import { requireStill } from '../sessions/rules.ts'
import { type AccountActor, visibleOwner } from '../users/access.ts'
import type { ChangesOf, createResourceTable, Edited, ResourceKey, ResourceRequest, ResourceRow } from './queries.ts'

// The rules of all resources that belong to accounts. Each resource has its own folder, such as server/items/.

interface Rules<Row extends ResourceRow, Sort extends string, Input> {
  table: ReturnType<typeof createResourceTable<Row, Sort>>
  /** The singular name at the beginning of an error message: `Item`. */
  name: string
  /** Adds defaults for fields that the input omits. */
  complete: (input: Input) => Given<Omit<Row, keyof ResourceRow>>
}

/** What a request gives of a row. */
type Given<Values> = { [Name in keyof Values]: FileFacts extends Values[Name] ? FileLink | null : Values[Name] }

const ROWS_AT_ONCE = 200
/** A deletion also changes the search index. */
const ROWS_DELETED_AT_ONCE = 50

/** The rules of a resource. */
export function createResourceRules<Row extends ResourceRow, Sort extends string, Input>({
  table,
  name,
  complete,
}: Rules<Row, Sort, Input>) {
  /** The first text is the name of a row. */
  const [nameField] = table.searched as unknown as readonly [keyof Row & string]

  function notFound(): never {
    throw new DomainError('not-found', `${name} not found`)
  }

  const hasFiles = table.files.length > 0

  async function link<Values extends object>(
    context: Context,
    tx: Tx,
    actor: AccountActor,
    rowId: string,
    values: Values,
    before: object = {},
  ): Promise<Values> {
    if (!hasFiles) return values
    return linkFiles(context, tx, actor, { resource: table.table, rowId }, { fields: table.files, values, before })
  }

  /** Audits a change of a row. The owner is the subject. */
  async function record(
    context: Context,
    tx: Tx,
    actor: AccountActor,
    row: Row,
    { done, details }: { done: 'create' | 'change' | 'delete'; details?: AuditDetails | undefined },
  ): Promise<void> {
    await recordAudit(context, tx, {
      action: `${name.toLowerCase()}-${done}`,
      subjectId: row.owner_id,
      details: { id: row.id, [nameField]: row[nameField], ...details },
      ...by(actor),
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
    ): Promise<PageOf<Row>> {
      const request = visibleOf(actor, given)
      if (!request) return { data: [], count: 0 }
      return reads.page(actor.user.id, [given, page], (db) => table.list(db, request, page), signal)
    },

    /** The visible rows that were created or changed last, and when. */
    async readRecentlyEdited(
      { store }: Context,
      actor: AccountActor,
      limit: number,
    ): Promise<{ row: Row; at: number }[]> {
      return table.recentlyEdited(store.db, limit, visibleOwner(actor))
    },

    /** All matching rows, in parts. @throws DomainError as `exportRows` */
    async export(
      context: Context,
      actor: AccountActor,
      given: ResourceRequest<Sort>,
      target: ExportTarget<Row>,
    ): Promise<void> {
      const request = visibleOf(actor, given)
      const rowsOf = (db: Db) => (request ? table.stream(db, request, ROWS_AT_ONCE) : none())
      await exportRows(context, actor, `${table.table}-export`, rowsOf, target)
    },

    /**
     * @param key the idempotency key: if the actor has already created a row with this key, it is returned and the input
     * is ignored
     * @throws DomainError `unauthenticated`
     */
    async create(context: Context, actor: AccountActor, input: Input, key: string | undefined): Promise<Row> {
      const owner_id = actor.user.id
      const id = key === undefined ? uuid() : derivedId(`${owner_id} ${key}`)
      const given = { ...complete(input), id, owner_id, created_at: context.now() }
      return change(context, actor, async (tx) => {
        // Its files are already those of the row.
        const existing = key !== undefined && hasFiles && (await table.find(tx, { id, ownerId: owner_id }))
        if (existing) return existing
        const row = (await link(context, tx, actor, id, given)) as Row
        const made = await table.insert(tx, row)
        if (made === row) await record(context, tx, actor, row, { done: 'create' })
        return made
      })
    },

    /** @throws DomainError `not-found`, also for a row of another owner */
    async read({ store }: Context, actor: AccountActor, id: string): Promise<Edited<Row>> {
      return (await table.findEdited(store.db, keyOf(actor, id))) ?? notFound()
    },

    /** @param changes absent keys keep their value @throws DomainError `not-found`, `precondition-failed` */
    async update(
      context: Context,
      actor: AccountActor,
      id: string,
      changes: Given<ChangesOf<Row>>,
      precondition: Precondition,
    ): Promise<Row> {
      const key = keyOf(actor, id)
      return change(context, actor, async (tx) => {
        const before = (await table.lock(tx, key)) ?? notFound()
        requirePrecondition(before, precondition)
        const linked = (await link(context, tx, actor, before.id, changes, before)) as ChangesOf<Row>
        const after = (await table.update(tx, key, linked, context.now())) ?? notFound()
        const details = changesOf(before, after, table.fields)
        if (details) await record(context, tx, actor, after, { done: 'change', details })
        return after
      })
    },

    /** @throws DomainError `not-found`, `precondition-failed` */
    async delete(context: Context, actor: AccountActor, id: string, precondition: Precondition): Promise<void> {
      await change(context, actor, async (tx) => {
        const deleted = (await table.delete(tx, keyOf(actor, id))) ?? notFound()
        requirePrecondition(deleted, precondition)
        await record(context, tx, actor, deleted, { done: 'delete' })
      })
    },

    /** Deletes many rows. @throws DomainError as `changeMany` */
    async deleteMany(
      context: Context,
      actor: AccountActor,
      targets: BulkTargets<Omit<ResourceRequest<Sort>, 'sort'>>,
      signal: AbortSignal,
    ): Promise<BulkResult> {
      const request = visibleOf<Sort>(actor, targets.filter ?? {})
      const ownerId = visibleOwner(actor)
      const bulk = {
        action: `${table.table}-bulk`,
        change: 'delete',
        noun: name.toLowerCase(),
        plural: table.table,
        rowsAtOnce: ROWS_DELETED_AT_ONCE,
        find: async (db: Db, only: Only) => (request ? table.findIds(db, request, only) : []),
        transact: <T>(work: (tx: Tx) => Promise<T>) => change(context, actor, work, { inTurn: ownerId === undefined }),
        async apply(tx: Tx, ids: readonly string[]): Promise<BulkResult> {
          const { batch, deleted } = await table.deleteMany(tx, ids, ownerId)
          const missing = batch.filter((id) => !deleted.has(id))
          const refused = missing.map((id) => ({ id, detail: `${name} not found` }))
          return { changed: deleted.size, unchanged: 0, refused }
        },
      } as const
      return changeMany(context, actor, targets, bulk, signal)
    },
  }
}

/**
 * Runs a change in a transaction.
 * @param options.inTurn one at a time, for rows of several owners
 * @throws DomainError `unauthenticated` if the session has ended
 */
async function change<T>(
  context: Context,
  actor: AccountActor,
  work: (tx: Tx) => Promise<T>,
  { inTurn = false } = {},
): Promise<T> {
  return context.store.transaction(async (tx) => {
    if (inTurn) await takeAccountsLock(tx)
    await requireStill(context, tx, actor)
    return work(tx)
  })
}

async function* none(): AsyncGenerator<never> {}

/** @returns `undefined` if the actor asks for rows of another owner and may not see them */
function visibleOf<Sort extends string>(
  actor: AccountActor,
  given: ResourceRequest<Sort>,
): ResourceRequest<Sort> | undefined {
  const { owner_id } = given
  const visible = visibleOwner(actor)
  if (visible !== undefined && owner_id !== undefined && owner_id !== visible) return undefined
  return { ...given, owner_id: visible ?? owner_id }
}

function keyOf(actor: AccountActor, id: string): ResourceKey {
  return { id, ownerId: visibleOwner(actor) }
}
