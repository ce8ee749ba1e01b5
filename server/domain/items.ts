import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import {
  deleteItem,
  findItem,
  insertItem,
  insertItemOnce,
  type ItemKey,
  listItems,
  lockItem,
  updateItem,
} from '../store/items.ts'
import type { Page, PageOf } from '../store/page.ts'
import type { Store, Tx } from '../store/store.ts'
import { type Actor, visibleOwner } from './access.ts'
import { type Precondition, requirePrecondition } from './precondition.ts'
import { DomainError, sessionOver } from './errors.ts'
import type { Item, ItemChanges } from './item.ts'
import type { Sessions } from './sessions.ts'

export function createItems(options: { store: Store; sessions: Sessions; now: () => number }) {
  const { store, sessions, now } = options

  /** Runs a change of items, all of it or nothing. @throws DomainError `unauthenticated` when the session is over by then */
  async function change<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return store.transaction(async (tx) => {
      const result = await work(tx)
      await sessions.requireStill(tx, actor)
      return result
    })
  }

  return {
    list: (actor: Actor, page: Page): Promise<PageOf<Item>> => listItems(store.db, page, visibleOwner(actor)),

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
