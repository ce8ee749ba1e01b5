import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { toSearchForm } from '../lib/search-form.ts'
import { type List, type ListQuery, readPage, type SortColumn, type SortOrder, streamRows } from './lists.ts'
import type { Page, PageOf } from './page.ts'
import type { Db, Tx } from './store.ts'
import type { CountsTable, Flag, OwnedTable, Tables } from './tables.ts'
import { addToTotal, totalOf } from './totals.ts'

// What all resources that belong to accounts have in common. Each one has a file beside this one, such as items.ts.

export interface OwnedRow {
  id: string
  owner_id: string
  created_at: number
}

/** Which row, and for whom: without an owner, whoever it belongs to. */
export interface OwnedKey {
  id: string
  ownerId: string | undefined
}

export interface OwnedQuery<Sort extends string> {
  /** In their search form. */
  words: string[]
  /** Leave out for everybody's. */
  ownerId?: string | undefined
  sort: SortOrder<Sort>
}

/** What can be changed of a row. Absent keys keep their value. */
export type ChangesOf<Row extends OwnedRow> = Partial<Omit<Row, keyof OwnedRow>>

interface Outline<Row extends OwnedRow, Sort extends string> {
  table: OwnedTable
  counts: `${string}_counts` & keyof Tables
  /** What can be changed: nothing else is written. The database keeps a flag as 0 or 1. */
  fields: Record<string & keyof ChangesOf<Row>, 'plain' | 'flag'>
  /** Each has a column with its search form, and the first one always has a text. */
  searched: readonly [string & keyof ChangesOf<Row>, ...(string & keyof ChangesOf<Row>)[]]
  sorts: Record<Sort, SortColumn>
}

/** The tables of any resource, under names that stand for its own. */
interface AnyTables extends Tables {
  owned: OwnedRow & Record<string, unknown>
  counts: CountsTable
}

type AnyRow = Record<string, unknown>

/** An owner with no more rows than this is searched without the index, which is over everybody's. */
const SMALL = 5_000

/** Rows that a transaction deletes at most, so that on SQLite others wait for some milliseconds only. */
export const MAX_DELETED_AT_ONCE = 500

/** Rows of which one transaction makes the search forms, so that on SQLite others wait for some milliseconds only. */
const FILLED_AT_ONCE = 200

export function createOwned<Row extends OwnedRow, Sort extends string>(outline: Outline<Row, Sort>) {
  type Changes = ChangesOf<Row>
  const { table: name, fields, searched, sorts } = outline
  const table = name as unknown as 'owned'
  const counts = outline.counts as 'counts'
  const flags = Object.keys(fields).filter((field) => fields[field as keyof typeof fields] === 'flag')
  const columns = ['id', ...Object.keys(fields), 'owner_id', 'created_at']
  const list: List<Sort> = { table: name, columns, searched: searched.map(searchColumn), sorts }

  function toRow(found: AnyRow): Row {
    return { ...found, ...Object.fromEntries(flags.map((flag) => [flag, found[flag] === 1])) } as unknown as Row
  }

  /** As the database has it, with the search forms of the texts that are given. */
  function toColumns(given: Changes | Row): AnyRow {
    const values = given as AnyRow
    const toFlag = (flag: string): Flag => (values[flag] === true ? 1 : 0)
    const isGiven = (field: string): boolean => values[field] !== undefined
    return {
      ...values,
      ...Object.fromEntries(flags.filter(isGiven).map((flag) => [flag, toFlag(flag)])),
      ...searchFormsOf(values),
    }
  }

  function searchFormsOf(values: AnyRow): AnyRow {
    const given = searched.filter((field) => values[field] !== undefined)
    return Object.fromEntries(
      given.map((field) => {
        const text = values[field] as string | null
        return [searchColumn(field), text === null ? null : toSearchForm(text)]
      }),
    )
  }

  /** @returns false when there is no such user */
  async function addToCount(tx: Tx, ownerId: string, by: number): Promise<boolean> {
    const result = await any(tx)
      .updateTable(counts)
      .set((e) => ({ value: e('value', '+', by) }))
      .where('owner_id', '=', ownerId)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async function find(db: Db, key: OwnedKey): Promise<Row | undefined> {
    const found = await any(db).selectFrom(table).select(columns).where(isIt(key)).executeTakeFirst()
    return found && toRow(found)
  }

  /** @returns `undefined` when the owner is not there any more, and then nothing was written */
  async function insert(tx: Tx, row: Row): Promise<Row | undefined> {
    if (!(await addToCount(tx, row.owner_id, 1))) return undefined
    await addToTotal(tx, name, 1)
    await any(tx).insertInto(table).values(toColumns(row)).execute()
    return row
  }

  async function queryOf(db: Db, { words, ownerId, sort }: OwnedQuery<Sort>): Promise<ListQuery<Sort>> {
    const deleted = sql`select owner_id from deleted_owners`
    const kept = sql`(not exists (${deleted}) or owner_id not in (${deleted}))`
    if (ownerId === undefined) return { words, sort, filters: [], scope: kept, total: sql`${totalOf(db, name)}` }
    const counted = any(db).selectFrom(counts).select('value as count').where('owner_id', '=', ownerId)
    const isSmall = words.length > 0 && ((await counted.executeTakeFirst())?.count ?? 0) <= SMALL
    const scope = sql`owner_id = ${ownerId} and ${kept}`
    return { words, sort, filters: [], scope, total: sql`${counted}`, isSmall }
  }

  return {
    table: name,
    counts: outline.counts,
    find,
    insert,

    /** @returns what is there under this owner and id by now: the row as it was before, or the new one; otherwise as `insert` */
    async insertOnce(tx: Tx, row: Row): Promise<Row | undefined> {
      // The owner's row first, as everywhere: whoever adds the same in this moment is waited for.
      if (!(await addToCount(tx, row.owner_id, 0))) return undefined
      return (await find(tx, { id: row.id, ownerId: row.owner_id })) ?? insert(tx, row)
    },

    /** Adds many rows of owners who are held already, with all that is counted. */
    async insertMany(tx: Tx, rows: Row[]): Promise<void> {
      for (const [number, ids] of ownersByNumber(rows)) {
        await any(tx)
          .updateTable(counts)
          .set((e) => ({ value: e('value', '+', number) }))
          .where('owner_id', 'in', ids)
          .execute()
      }
      await addToTotal(tx, name, rows.length)
      await any(tx).insertInto(table).values(rows.map(toColumns)).execute()
    },

    /**
     * A row as it is now, and stays until this transaction ends: whoever wants to change it meanwhile waits. Not before
     * `delete`, which has an order to keep.
     */
    async lock(tx: Tx, key: OwnedKey): Promise<Row | undefined> {
      // As lockUser does it.
      const found = await any(tx)
        .updateTable(table)
        .set((e) => ({ created_at: e.ref('created_at') }))
        .where(isIt(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    /** @returns the row as it is then */
    async update(tx: Tx, key: OwnedKey, changes: Changes): Promise<Row | undefined> {
      const given = Object.fromEntries(Object.entries(changes).filter(([field]) => Object.hasOwn(fields, field)))
      if (Object.keys(given).length === 0) return find(tx, key)
      const found = await any(tx)
        .updateTable(table)
        .set(toColumns(given as Changes))
        .where(isIt(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    /** @returns the row as it was */
    async delete(tx: Tx, key: OwnedKey): Promise<Row | undefined> {
      const found = await find(tx, key)
      // The owner's count before the row, as everywhere: in one order, nobody waits for each other in a circle.
      if (!found || !(await addToCount(tx, found.owner_id, -1))) return undefined
      // Whoever deleted it a moment ago was waited for at that count.
      if (!(await find(tx, key))) {
        await addToCount(tx, found.owner_id, 1)
        return undefined
      }
      await addToTotal(tx, name, -1)
      const deleted = any(tx).deleteFrom(table).where('id', '=', found.id).returning(columns)
      return toRow(await deleted.executeTakeFirstOrThrow())
    },

    /** Begins to count what new accounts have. */
    async beginCounts(tx: Tx, ownerIds: string[]): Promise<void> {
      const rows = ownerIds.map((owner_id) => ({ owner_id, value: 0 }))
      await any(tx).insertInto(counts).values(rows).execute()
    },

    /** Takes the rows of an owner out of all counts. @returns how many there are; `undefined` when there is no such owner */
    async endCount(tx: Tx, ownerId: string): Promise<number | undefined> {
      const ended = any(tx).deleteFrom(counts).where('owner_id', '=', ownerId).returning('value')
      const counted = await ended.executeTakeFirst()
      if (counted && counted.value > 0) await addToTotal(tx, name, -counted.value)
      return counted?.value
    },

    /** Deletes some rows of an owner, which are not counted any more. @returns how many */
    async deleteSome(tx: Tx, ownerId: string): Promise<bigint> {
      const some = any(tx).selectFrom(table).select('id').where('owner_id', '=', ownerId).limit(MAX_DELETED_AT_ONCE)
      return (await any(tx).deleteFrom(table).where('id', 'in', some).executeTakeFirstOrThrow()).numDeletedRows
    },

    /** A page of the rows that match, and how many match. */
    async list(db: Db, query: OwnedQuery<Sort>, page: Page): Promise<PageOf<Row>> {
      const { data, count } = await readPage<AnyRow, Sort>(db, list, await queryOf(db, query), page)
      return { data: data.map(toRow), count }
    },

    /** All rows that match, a part at a time. */
    async *stream(db: Db, query: OwnedQuery<Sort>, rowsAtOnce: number): AsyncGenerator<Row[]> {
      for await (const rows of streamRows<AnyRow, Sort>(db, list, await queryOf(db, query), rowsAtOnce))
        yield rows.map(toRow)
    },

    /** Makes search forms for some rows without. @returns whether there may be more */
    async fillSearchForms(tx: Tx): Promise<boolean> {
      const rows = await any(tx)
        .selectFrom(table)
        .select(['id', ...searched])
        .where(searchColumn(searched[0]), 'is', null)
        .limit(FILLED_AT_ONCE)
        .execute()
      for (const { id, ...texts } of rows as { id: string }[]) {
        // The texts again, where somebody has changed them meanwhile.
        await any(tx)
          .updateTable(table)
          .set(searchFormsOf(texts))
          .where('id', '=', id)
          .where((e) => e.and(Object.entries(texts).map(([field, text]) => e(field, 'is not distinct from', text))))
          .execute()
      }
      return rows.length > 0
    },
  }
}

const any = (db: Db) => db as unknown as Kysely<AnyTables>

/** A row that the caller may see. */
function isIt({ id, ownerId }: OwnedKey) {
  return (e: ExpressionBuilder<AnyTables, 'owned'>): Expression<SqlBool> => {
    const conditions = [e('id', '=', id), isKept(e)]
    if (ownerId !== undefined) conditions.push(e('owner_id', '=', ownerId))
    return e.and(conditions)
  }
}

/** Leaves out the rows of deleted owners. */
function isKept(e: ExpressionBuilder<AnyTables, 'owned'>) {
  const deleted = e.selectFrom('deleted_owners').select('deleted_owners.owner_id')
  // The first part is evaluated once, and decides as long as no owner is being deleted.
  return e.or([e.not(e.exists(deleted)), e('owner_id', 'not in', deleted)])
}

const searchColumn = (field: string): string => `${field}_search`

/** The owners who have so many of the rows. */
function ownersByNumber(rows: OwnedRow[]): Map<number, string[]> {
  const owners = new Map<number, string[]>()
  for (const [id, own = []] of Object.entries(Object.groupBy(rows, (row) => row.owner_id))) {
    owners.set(own.length, [...(owners.get(own.length) ?? []), id])
  }
  return owners
}
