import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import {
  deleteItem,
  findItem,
  insertItem,
  insertItemOnce,
  type ItemKey,
  type ItemSort,
  type ItemsQuery,
  listItems,
  lockItem,
  streamItems,
  updateItem,
} from '../store/items.ts'
import type { Page, PageOf } from '../store/page.ts'
import type { Store, Tx } from '../store/store.ts'
import { type Actor, visibleOwner } from './access.ts'
import type { Audit } from './audit.ts'
import { type Precondition, requirePrecondition } from './precondition.ts'
import { DomainError, sessionOver } from './errors.ts'
import type { Item, ItemChanges } from './item.ts'
import { isShortRead, type ListRequest, toListQuery } from './list-query.ts'
import type { LongReads } from './long-reads.ts'
import type { Sessions } from './sessions.ts'

/** Which items, in the words of the contract. */
export interface ItemsRequest extends ListRequest<ItemSort> {
  owner_id?: string | undefined
}

const ROWS_AT_ONCE = 200

export function createItems(options: {
  store: Store
  sessions: Sessions
  audit: Audit
  longReads: LongReads
  now: () => number
}) {
  const { store, sessions, audit, longReads, now } = options

  /** Runs a change of items, all of it or nothing. @throws DomainError `unauthenticated` when the session is over by then */
  async function change<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return store.transaction(async (tx) => {
      const result = await work(tx)
      await sessions.requireStill(tx, actor)
      return result
    })
  }

  return {
    /** @throws DomainError `busy` */
    async list(actor: Actor, given: ItemsRequest, page: Page): Promise<PageOf<Item>> {
      const query = queryOf(actor, given)
      if (!query) return { data: [], count: 0 }
      if (isShortRead(given, page)) return listItems(store.db, query, page)
      return longReads.list(actor.user.id, () => listItems(store.reader, query, page))
    },

    /** All items that match, a part at a time. @throws DomainError `busy` */
    async *export(actor: Actor, given: ItemsRequest): AsyncGenerator<Item[]> {
      const query = queryOf(actor, given)
      await audit.record(store.db, { action: 'items-export', actorId: actor.user.id, ip: actor.ip })
      if (!query) return
      yield* longReads.export(actor.user.id, () => streamItems(store.reader, query, ROWS_AT_ONCE))
    },

    /**
     * @param key the caller's name for this creation: what was made under it before is the answer, as it is by now, and
     * the input does not count
     */
    async create(
      actor: Actor,
      input: { title: string; description?: string | null },
      key: string | undefined,
    ): Promise<Item> {
      const { title, description = null } = input
      const owner_id = actor.user.id
      const id = key === undefined ? uuid() : idFor(owner_id, key)
      const insert = key === undefined ? insertItem : insertItemOnce
      const item = { id, owner_id, title, description, created_at: now() }
      const made = await change(actor, (tx) => insert(tx, item))
      // The account was deleted a moment ago.
      if (!made) throw sessionOver()
      return made
    },

    /** @throws DomainError `not-found`, the same for an item of somebody else and for none */
    async read(actor: Actor, id: string): Promise<Item> {
      return (await findItem(store.db, keyOf(actor, id))) ?? notFound()
    },

    /** @param changes absent keys keep their value @throws DomainError `not-found`, `precondition-failed` */
    async update(actor: Actor, id: string, changes: ItemChanges, precondition: Precondition): Promise<Item> {
      const key = keyOf(actor, id)
      return change(actor, async (tx) => {
        if (precondition) requirePrecondition((await lockItem(tx, key)) ?? notFound(), precondition)
        return (await updateItem(tx, key, changes)) ?? notFound()
      })
    },

    /** @throws DomainError `not-found`, `precondition-failed` */
    async delete(actor: Actor, id: string, precondition: Precondition): Promise<void> {
      await change(actor, async (tx) => {
        requirePrecondition((await deleteItem(tx, keyOf(actor, id))) ?? notFound(), precondition)
      })
    },
  }
}

/** @returns `undefined` where nothing can match: somebody else's items */
function queryOf(actor: Actor, { owner_id, ...given }: ItemsRequest): ItemsQuery | undefined {
  const visible = visibleOwner(actor)
  if (visible !== undefined && owner_id !== undefined && owner_id !== visible) return undefined
  return { ...toListQuery<ItemSort>(given), ownerId: visible ?? owner_id }
}

function keyOf(actor: Actor, id: string): ItemKey {
  return { id, ownerId: visibleOwner(actor) }
}

/**
 * The id of what an owner creates under a key: whoever tries again comes to the same, and nobody else does
 * (docs/decisions/0023-created-once.md). A UUID of version 8 (RFC 9562, 5.8), of 120 bits of a SHA-256.
 */
function idFor(ownerId: string, key: string): string {
  const digest = createHash('sha256').update(`${ownerId} ${key}`).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

function notFound(): never {
  throw new DomainError('not-found', 'Item not found')
}
