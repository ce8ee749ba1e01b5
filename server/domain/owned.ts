import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { ChangesOf, createOwned as createTable, OwnedKey, OwnedQuery, OwnedRow } from '../store/owned.ts'
import type { Page, PageOf } from '../store/page.ts'
import type { Store, Tx } from '../store/store.ts'
import { type Actor, visibleOwner } from './access.ts'
import type { Audit } from './audit.ts'
import { DomainError, sessionOver } from './errors.ts'
import { isShortRead, type ListRequest, toListQuery } from './list-query.ts'
import type { LongReads } from './long-reads.ts'
import { type Precondition, requirePrecondition } from './precondition.ts'
import type { Sessions } from './sessions.ts'

// The rules of all resources that belong to accounts. Each one has a file beside this one, such as items.ts.

/** Which rows, in the words of the contract. */
interface OwnedRequest<Sort extends string> extends ListRequest<Sort> {
  owner_id?: string | undefined
}

export interface OwnedServices {
  store: Store
  sessions: Sessions
  audit: Audit
  longReads: LongReads
  now: () => number
}

interface Rules<Row extends OwnedRow, Sort extends string, Input> {
  table: ReturnType<typeof createTable<Row, Sort>>
  /** What a refusal calls one of them, at the beginning of a sentence. */
  name: string
  /** What a new one has where the input leaves something out. */
  complete: (input: Input) => Omit<Row, keyof OwnedRow>
}

const ROWS_AT_ONCE = 200

export function createOwned<Row extends OwnedRow, Sort extends string, Input>(
  { store, sessions, audit, longReads, now }: OwnedServices,
  { table, name, complete }: Rules<Row, Sort, Input>,
) {
  /** Runs a change, all of it or nothing. @throws DomainError `unauthenticated` when the session is over by then */
  async function change<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return store.transaction(async (tx) => {
      const result = await work(tx)
      await sessions.requireStill(tx, actor)
      return result
    })
  }

  function notFound(): never {
    throw new DomainError('not-found', `${name} not found`)
  }

  return {
    /** @throws DomainError `busy` */
    async list(actor: Actor, given: OwnedRequest<Sort>, page: Page): Promise<PageOf<Row>> {
      const query = queryOf(actor, given)
      if (!query) return { data: [], count: 0 }
      if (isShortRead(given, page)) return table.list(store.db, query, page)
      return longReads.list(actor.user.id, () => table.list(store.reader, query, page))
    },

    /** All rows that match, a part at a time. @throws DomainError `busy` */
    async *export(actor: Actor, given: OwnedRequest<Sort>): AsyncGenerator<Row[]> {
      const query = queryOf(actor, given)
      await audit.record(store.db, { action: `${table.table}-export`, actorId: actor.user.id, ip: actor.ip })
      if (!query) return
      yield* longReads.export(actor.user.id, () => table.stream(store.reader, query, ROWS_AT_ONCE))
    },

    /**
     * @param key the caller's name for this creation: what was made under it before is the answer, as it is by now, and
     * the input does not count
     */
    async create(actor: Actor, input: Input, key: string | undefined): Promise<Row> {
      const owner_id = actor.user.id
      const id = key === undefined ? uuid() : idFor(owner_id, key)
      const row = { ...complete(input), id, owner_id, created_at: now() } as Row
      const made = await change(actor, (tx) => (key === undefined ? table.insert(tx, row) : table.insertOnce(tx, row)))
      // The account was deleted a moment ago.
      if (!made) throw sessionOver()
      return made
    },

    /** @throws DomainError `not-found`, the same for a row of somebody else and for none */
    async read(actor: Actor, id: string): Promise<Row> {
      return (await table.find(store.db, keyOf(actor, id))) ?? notFound()
    },

    /** @param changes absent keys keep their value @throws DomainError `not-found`, `precondition-failed` */
    async update(actor: Actor, id: string, changes: ChangesOf<Row>, precondition: Precondition): Promise<Row> {
      const key = keyOf(actor, id)
      return change(actor, async (tx) => {
        if (precondition) requirePrecondition((await table.lock(tx, key)) ?? notFound(), precondition)
        return (await table.update(tx, key, changes)) ?? notFound()
      })
    },

    /** @throws DomainError `not-found`, `precondition-failed` */
    async delete(actor: Actor, id: string, precondition: Precondition): Promise<void> {
      await change(actor, async (tx) => {
        requirePrecondition((await table.delete(tx, keyOf(actor, id))) ?? notFound(), precondition)
      })
    },
  }
}

/** @returns `undefined` where nothing can match: what somebody else has */
function queryOf<Sort extends string>(
  actor: Actor,
  { owner_id, ...given }: OwnedRequest<Sort>,
): OwnedQuery<Sort> | undefined {
  const visible = visibleOwner(actor)
  if (visible !== undefined && owner_id !== undefined && owner_id !== visible) return undefined
  return { ...toListQuery<Sort>(given), ownerId: visible ?? owner_id }
}

function keyOf(actor: Actor, id: string): OwnedKey {
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
