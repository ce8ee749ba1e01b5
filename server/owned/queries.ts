import { type Kysely, type SqlBool, sql } from 'kysely'
import { firstIds, fittingIds } from '../platform/database/batches.ts'
import {
  createPages,
  findIds,
  type List,
  type ListQuery,
  type ListRequest,
  type Only,
  type SortColumn,
  streamRows,
  toListQuery,
} from '../platform/database/lists.ts'
import type { Page, PageOf } from '../platform/database/page.ts'
import { searchColumn, normalizedTextsOf } from '../platform/database/search-columns.ts'
import { statement, type ValueOf } from '../platform/database/statement.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { addToTotal, totalOf } from '../platform/database/totals.ts'
import type { CountsTable, Flag, OwnedTable, Tables } from '../tables.ts'

// Queries of all resources that belong to accounts. Each resource has its own file in this folder, such as items.ts.

export interface OwnedRow {
  id: string
  owner_id: string
  created_at: number
}

/** Identifies a row. Without an owner, the row may belong to anybody. */
export interface OwnedKey {
  id: string
  ownerId: string | undefined
}

/** What a list is asked for, as in the contract. */
export interface OwnedRequest<Sort extends string> extends ListRequest<Sort> {
  /** Omit to list the rows of all owners. */
  owner_id?: string | undefined
}

/** A row, and when it was changed last, or else created. */
export interface Edited<Row extends OwnedRow> {
  row: Row
  at: number
}

/** Changes of a row. Absent keys keep their value. */
export type ChangesOf<Row extends OwnedRow> = Partial<Omit<Row, keyof OwnedRow>>

interface Definition<Row extends OwnedRow, Sort extends string> {
  table: OwnedTable
  counts: `${string}_counts` & keyof Tables
  /** The fields that an update may write. The database stores a flag as 0 or 1. */
  fields: Record<string & keyof ChangesOf<Row>, 'plain' | 'flag'>
  /** Text fields. Each has a column with its normalized text. The first one must not be nullable. */
  searched: readonly [string & keyof ChangesOf<Row>, ...(string & keyof ChangesOf<Row>)[]]
  sorts: Record<Sort, SortColumn>
}

/** Types for the tables of any resource, under the generic names `owned` and `counts`. */
interface AnyTables extends Tables {
  owned: OwnedRow & { updated_at: number | null } & Record<string, unknown>
  counts: CountsTable
}

type AnyRow = Record<string, unknown>

/** On SQLite, owners with at most this many rows are searched without the index, which covers the rows of all owners. */
const SMALL = 5_000

export function createOwned<Row extends OwnedRow, Sort extends string>(definition: Definition<Row, Sort>) {
  type Changes = ChangesOf<Row>
  const { table: name, fields, searched, sorts } = definition
  const table = name as unknown as 'owned'
  const counts = definition.counts as 'counts'
  const flags = Object.keys(fields).filter((field) => fields[field as keyof typeof fields] === 'flag')
  const columns = ['id', ...Object.keys(fields), 'owner_id', 'created_at']
  // The expression of the index.
  const editedAt = sql<number>`coalesce(updated_at, created_at)`
  const list: List<Sort> = { table: name, columns, searched: searched.map(searchColumn), sorts }
  const readPage = createPages<AnyRow>(list)
  const countRows = statement((db, value: ValueOf<{ owner: string; by: number }>) =>
    any(db)
      .updateTable(counts)
      .set((e) => ({ value: e('value', '+', value('by')) }))
      .where('owner_id', '=', value('owner')),
  )
  const normalizedColumns = searched.map(searchColumn)
  const insertRow = statement((db, value: ValueOf<AnyRow>) =>
    any(db)
      .insertInto(table)
      .values(Object.fromEntries([...columns, ...normalizedColumns].map((column) => [column, value(column)])) as never),
  )

  function toRow(found: AnyRow): Row {
    return { ...found, ...Object.fromEntries(flags.map((flag) => [flag, found[flag] === 1])) } as unknown as Row
  }

  function toEdited({ edited_at, ...found }: AnyRow & { edited_at: number }): Edited<Row> {
    return { row: toRow(found), at: edited_at }
  }

  /** Converts fields to columns and adds the normalized texts of the given texts. */
  function toColumns(given: Changes | Row): AnyRow {
    const values = given as AnyRow
    const toFlag = (flag: string): Flag => (values[flag] === true ? 1 : 0)
    const isGiven = (field: string): boolean => values[field] !== undefined
    return {
      ...values,
      ...Object.fromEntries(flags.filter(isGiven).map((flag) => [flag, toFlag(flag)])),
      ...normalizedTextsOf(values, searched),
    }
  }

  /** Adds to the owner's row count, which locks it. @returns false if the owner does not exist */
  async function addToCount(tx: Tx, ownerId: string, by: number): Promise<boolean> {
    const { numAffectedRows = 0n } = await countRows(tx, { owner: ownerId, by })
    return numAffectedRows > 0n
  }

  /** Adds rows to the counts of their owners, or subtracts them. */
  async function addToCounts(tx: Tx, rows: readonly Pick<OwnedRow, 'owner_id'>[], sign: 1 | -1): Promise<void> {
    for (const [number, ids] of ownersByNumber(rows)) {
      await any(tx)
        .updateTable(counts)
        .set((e) => ({ value: e('value', '+', sign * number) }))
        .where('owner_id', 'in', ids)
        .execute()
    }
  }

  async function find(db: Db, key: OwnedKey): Promise<Row | undefined> {
    const found = await any(db).selectFrom(table).select(columns).where(isIt(key)).executeTakeFirst()
    return found && toRow(found)
  }

  /** @returns `undefined`, without a write, if the owner does not exist */
  async function insert(tx: Tx, row: Row): Promise<Row | undefined> {
    if (!(await addToCount(tx, row.owner_id, 1))) return undefined
    await addToTotal(tx, name, 1)
    await insertRow(tx, toColumns(row))
    return row
  }

  function queryOf(db: Db, given: OwnedRequest<Sort>, isSmall = false): ListQuery {
    const { owner_id: ownerId } = given
    const [scope, total] =
      ownerId === undefined
        ? [isKept, sql`${totalOf(db, name)}`]
        : [sql`owner_id = ${ownerId} and ${isKept}`, sql`${countOf(db, ownerId)}`]
    return toListQuery(list, given, { filters: [], scope, total, isSmall })
  }

  const countOf = (db: Db, ownerId: string) =>
    any(db).selectFrom(counts).select('value as count').where('owner_id', '=', ownerId)

  /** Whether to search without the index. */
  async function isOfFew(db: Db, { q = '', owner_id }: OwnedRequest<Sort>): Promise<boolean> {
    if (q.trim() === '' || owner_id === undefined) return false
    return ((await countOf(db, owner_id).executeTakeFirst())?.count ?? 0) <= SMALL
  }

  return {
    table: name,
    counts: definition.counts,
    searched: searched as readonly [string, ...string[]],
    fields: Object.keys(fields) as (keyof ChangesOf<Row> & string)[],
    find,
    insert,

    async findEdited(db: Db, key: OwnedKey): Promise<Edited<Row> | undefined> {
      const rows = any(db).selectFrom(table).where(isIt(key))
      const found = await rows.select([...columns, editedAt.as('edited_at')]).executeTakeFirst()
      return found && toEdited(found)
    },

    /**
     * Inserts the row unless its owner already has one with this id.
     * @returns the existing or the new row; `undefined` if the owner does not exist
     */
    async insertOnce(tx: Tx, row: Row): Promise<Row | undefined> {
      // Locks the owner's count first, which waits for a concurrent insert of the same row.
      if (!(await addToCount(tx, row.owner_id, 0))) return undefined
      return (await find(tx, { id: row.id, ownerId: row.owner_id })) ?? insert(tx, row)
    },

    /** Inserts rows and updates counts and total. The caller must have locked the counts of the owners. */
    async insertMany(tx: Tx, rows: Row[]): Promise<void> {
      await addToCounts(tx, rows, 1)
      await addToTotal(tx, name, rows.length)
      await any(tx).insertInto(table).values(rows.map(toColumns)).execute()
    },

    /**
     * Locks a row until the transaction ends, and returns it. Must not be called before `delete`, which locks the
     * owner's count first.
     */
    async lock(tx: Tx, key: OwnedKey): Promise<Row | undefined> {
      // An update without effect, as in `lockUser`.
      const found = await any(tx)
        .updateTable(table)
        .set((e) => ({ created_at: e.ref('created_at') }))
        .where(isIt(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    /** @param at the time of the change @returns the updated row */
    async update(tx: Tx, key: OwnedKey, changes: Changes, at: number): Promise<Row | undefined> {
      const given = Object.fromEntries(Object.entries(changes).filter(([field]) => Object.hasOwn(fields, field)))
      if (Object.keys(given).length === 0) return find(tx, key)
      const found = await any(tx)
        .updateTable(table)
        .set({ ...toColumns(given as Changes), updated_at: at })
        .where(isIt(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    /** @returns the deleted row */
    async delete(tx: Tx, key: OwnedKey): Promise<Row | undefined> {
      const found = await find(tx, key)
      // Locks the owner's count before the row. All transactions use this order, which prevents deadlocks.
      if (!found || !(await addToCount(tx, found.owner_id, -1))) return undefined
      // A concurrent transaction may have deleted the row while this one waited for the count.
      if (!(await find(tx, key))) {
        await addToCount(tx, found.owner_id, 1)
        return undefined
      }
      await addToTotal(tx, name, -1)
      const deleted = any(tx).deleteFrom(table).where('id', '=', found.id).returning(columns)
      return toRow(await deleted.executeTakeFirstOrThrow())
    },

    /**
     * Deletes a batch of rows. Only one transaction at a time may delete rows of several owners.
     * @param ids the batch is the first of them
     * @param ownerId omit to delete rows of all owners
     * @returns the ids of the batch, and of the deleted rows
     */
    async deleteMany(
      tx: Tx,
      ids: readonly string[],
      ownerId: string | undefined,
    ): Promise<{ batch: string[]; deleted: Set<string> }> {
      const batch = await fittingIds(tx, name, searched, ids)
      const visible = ownerId === undefined ? isKept : sql<SqlBool>`owner_id = ${ownerId} and ${isKept}`
      const findBatch = () =>
        any(tx).selectFrom(table).select(['id', 'owner_id']).where('id', 'in', batch).where(visible)
      const owners = [...new Set((await findBatch().execute()).map((row) => row.owner_id))]
      if (owners.length === 0) return { batch, deleted: new Set() }
      // The order of locks is that of `delete`.
      await lockCounts(tx, counts, owners)
      const rows = await findBatch().where('owner_id', 'in', owners).execute()
      if (rows.length === 0) return { batch, deleted: new Set() }
      await addToCounts(tx, rows, -1)
      await addToTotal(tx, name, -rows.length)
      const deleted = rows.map(({ id }) => id)
      await any(tx).deleteFrom(table).where('id', 'in', deleted).execute()
      return { batch, deleted: new Set(deleted) }
    },

    /** Inserts a count of zero for each new account. */
    async beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
      const rows = ownerIds.map((owner_id) => ({ owner_id, value: 0 }))
      await any(tx).insertInto(counts).values(rows).execute()
    },

    /**
     * Deletes the counts of owners and subtracts them from the total.
     * @returns the counts by owner, of those that exist
     */
    async endCounts(tx: Tx, ownerIds: readonly string[]): Promise<Map<string, number>> {
      const ended = any(tx).deleteFrom(counts).where('owner_id', 'in', ownerIds).returning(['owner_id', 'value'])
      const counted = new Map((await ended.execute()).map(({ owner_id, value }) => [owner_id, value]))
      const sum = [...counted.values()].reduce((all, value) => all + value, 0)
      if (sum > 0) await addToTotal(tx, name, -sum)
      return counted
    },

    /** Deletes a batch of the rows of owners, whose counts have ended. @returns the number of deleted rows */
    async deleteSome(tx: Tx, ownerIds: readonly string[]): Promise<number> {
      const ids = await firstIds(tx, name, searched, sql`owner_id in (${sql.join(ownerIds)})`)
      if (ids.length > 0) await any(tx).deleteFrom(table).where('id', 'in', ids).execute()
      return ids.length
    },

    /**
     * The row that was created or changed last, and when.
     * @param ownerId omit to find it among the rows of all owners
     */
    async recentlyEdited(db: Db, limit: number, ownerId?: string): Promise<Edited<Row>[]> {
      let rows = any(db).selectFrom(table).where(isKept)
      if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId)
      const last = await rows
        .select([...columns, editedAt.as('edited_at')])
        .orderBy(editedAt, 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return last.map(toEdited)
    },

    /** A page of the matching rows, and the number of all matching rows. */
    async list(db: Db, given: OwnedRequest<Sort>, page: Page): Promise<PageOf<Row>> {
      const query = queryOf(db, given, await isOfFew(db, given))
      const { data, count } = await readPage(db, query, { ...page, owner: given.owner_id }, (on, owner_id) =>
        queryOf(on, { ...given, owner_id }),
      )
      return { data: data.map(toRow), count }
    },

    /** The ids of the matching rows, in no order. */
    async findIds(db: Db, given: OwnedRequest<Sort>, only: Only): Promise<string[]> {
      return findIds(db, list, queryOf(db, given, await isOfFew(db, given)), only)
    },

    /** Streams all matching rows in batches. */
    async *stream(db: Db, given: OwnedRequest<Sort>, rowsAtOnce: number): AsyncGenerator<Row[]> {
      const query = queryOf(db, given, await isOfFew(db, given))
      for await (const rows of streamRows<AnyRow>(db, list, query, rowsAtOnce)) yield rows.map(toRow)
    },
  }
}

/** Locks the counts of owners. @returns the owners that exist */
export async function lockCounts(tx: Tx, counts: string, ownerIds: readonly string[]): Promise<Set<string>> {
  const locked = await any(tx)
    .updateTable(counts as 'counts')
    .set((e) => ({ value: e.ref('value') }))
    .where('owner_id', 'in', ownerIds)
    .returning('owner_id')
    .execute()
  return new Set(locked.map((row) => row.owner_id))
}

const any = (db: Db) => db as unknown as Kysely<AnyTables>

/** Matches the row of the key, unless its owner is deleted. */
function isIt({ id, ownerId }: OwnedKey) {
  const isOwn = ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`
  return sql<SqlBool>`id = ${id} ${isOwn} and ${isKept}`
}

const deletedOwners = sql`select owner_id from deleted_owners`

/**
 * Leaves out the rows of deleted owners. The first condition is evaluated once. The second one is only needed while
 * deleted owners still have rows.
 */
const isKept = sql<SqlBool>`(not exists (${deletedOwners}) or owner_id not in (${deletedOwners}))`

/** Groups the ids of owners by their number of rows. */
function ownersByNumber(rows: readonly Pick<OwnedRow, 'owner_id'>[]): Map<number, string[]> {
  const owners = new Map<number, string[]>()
  for (const [id, own = []] of Object.entries(Object.groupBy(rows, (row) => row.owner_id))) {
    owners.set(own.length, [...(owners.get(own.length) ?? []), id])
  }
  return owners
}
