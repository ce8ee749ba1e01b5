import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Links, NameBeside } from '../links/link.ts'
import { firstIds, fittingIds } from '../platform/database/batches.ts'
import { countOf, totalOf } from '../platform/database/counts.ts'
import { isSqlite, ref, refs } from '../platform/database/dialect.ts'
import { type StoredForm, storedOf, toStored, valuesOf } from '../platform/database/forms.ts'
import {
  type Filter,
  filterOf,
  findIds,
  type List,
  type ListQuery,
  type ListRequest,
  type Only,
  type Page,
  type PageOf,
  readPage,
  type SortColumn,
  streamRows,
  toListQuery,
} from '../platform/database/lists.ts'
import { searchColumn, normalizedTextsOf } from '../platform/database/search-columns.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { createVersionOf } from '../platform/precondition.ts'
import { readDateOrTime } from '../platform/lib/date-or-time.ts'
import type { ResourceTable, Tables } from '../tables.ts'

// Queries of all resources that belong to accounts. Each resource declares its table, such as server/items/queries.ts.

export interface ResourceRow {
  id: string
  owner_id: string
  created_at: number
}

/** Identifies a row. Without an owner, the row may belong to anybody. */
export interface ResourceKey {
  id: string
  ownerId: string | undefined
}

export interface ResourceRequest<Sort extends string> extends ListRequest<Sort> {
  /** Omit to list the rows of all owners. */
  owner_id?: string | undefined
}

export interface Edited<Row extends ResourceRow> {
  row: Row
  at: number
}

export type ChangesOf<Row extends ResourceRow> = Partial<Omit<Row, keyof ResourceRow>>

interface FieldDefinition<Value> {
  /** The form of the values in the database, if it differs from the form in the contract. */
  form?: StoredForm
  /** The value in a new row if the request has none. The default is null. */
  initial?: NonNullable<Value>
  /** The text has another column for its normalized form. The first such field names a row, and is not nullable. */
  isSearched?: true
  /** Lists are sorted by it, and filtered by a value or range (`due_on_from`). It needs `isIndexed` in table.ts. */
  filter?: 'value' | 'range'
  /** Whether rows may have no value. Lists that are sorted by the field show such rows last. */
  isNullable?: true
  /** The field has ids of rows of another resource. Its column needs `isFiltered` in table.ts. */
  link?: Links[string]
}

interface Definition<Row extends ResourceRow, Query> {
  table: ResourceTable
  fields: { [Name in FieldOf<Row>]-?: FieldDefinition<Row[Name]> }
  /** Filters that compare no value or range of a field. The type requires each that the contract has. */
  filters: { [Name in OwnFilter<Row, Query>]-?: (asked: NonNullable<Query[Name]>) => Filter }
}

type FieldOf<Row extends ResourceRow> = string & keyof ChangesOf<Row>

type OwnFilter<Row extends ResourceRow, Query> = Exclude<
  keyof Query,
  keyof ResourceRequest<string> | keyof Page | { [Name in FieldOf<Row>]: FilterBy<Name, Row[Name]> }[FieldOf<Row>]
>

/** The names of the filters by a field. No list is filtered by the value of a text, but the id of a link is a text. */
type FilterBy<Name extends string, Value> =
  | `${Name}_from`
  | `${Name}_to`
  | (string extends Value ? (Name extends `${string}_id` ? Name : never) : Name)

/** The type of a row, from its schema in the contract. Names of linked rows are left out. */
export type RowOf<Public extends { created_at: string }> = Omit<
  Public,
  'created_at' | 'version' | NameBeside<keyof Public>
> & { created_at: number }

export type SortOf<Sort extends string> = Exclude<Sort, `-${string}`>

/** Types for the table of any resource, under the generic name `resource`. */
interface AnyTables extends Tables {
  resource: ResourceRow & { updated_at: number | null } & Record<string, unknown>
}

type AnyRow = Record<string, unknown>

/** If an owner has at most this many rows, SQLite searches them without the index, which has the rows of all owners. */
const MAX_ROWS_WITHOUT_INDEX = 5_000

/** @typeParam Query the parameters of the list in the contract */
export function createResourceTable<Row extends ResourceRow, Sort extends string, Query = object>(
  definition: Definition<Row, Query>,
) {
  type Changes = ChangesOf<Row>
  type Name = string & keyof Changes
  const { table: name, fields } = definition
  const defined = Object.entries<FieldDefinition<unknown>>(fields) as [Name, FieldDefinition<unknown>][]
  const namesOf = (has: (field: FieldDefinition<unknown>) => boolean): Name[] =>
    defined.flatMap(([field, given]) => (has(given) ? [field] : []))
  const searched = namesOf(({ isSearched = false }) => isSearched) as unknown as readonly [Name, ...Name[]]
  const filters = namesOf(({ filter, link }) => filter === 'value' || link !== undefined)
  const ownFilters = Object.entries<(asked: never) => Filter>(definition.filters)
  const ranges = namesOf(({ filter }) => filter === 'range')
  const links: Links = Object.fromEntries(defined.flatMap(([field, { link }]) => (link ? [[field, link]] : [])))
  const sorts = {
    created_at: { column: 'created_at' },
    [searched[0]]: { column: searchColumn(searched[0]), isText: true },
    ...Object.fromEntries(
      defined.flatMap(([column, { filter, isNullable }]) =>
        filter ? [[column, { column, hasNewest: true, ...(isNullable && { isNullable }) }]] : [],
      ),
    ),
  } as Record<Sort, SortColumn>
  const table = name as unknown as 'resource'
  const forms: Record<string, StoredForm> = Object.fromEntries(
    defined.flatMap(([field, { form }]) => (form === undefined ? [] : [[field, form]])),
  )
  const files = Object.keys(forms).filter((field) => forms[field] === 'file')
  const columns = ['id', ...Object.keys(fields), 'owner_id', 'created_at']
  // The time counts for the version, because a row can be created again under the id of a deleted one.
  const versionOf = createVersionOf<Row>(
    Object.fromEntries(['created_at', ...Object.keys(fields)].map((column) => [column, true])) as Record<
      string & keyof Row,
      boolean
    >,
  )
  // The database uses the index only for exactly this expression.
  const editedAt = sql<number>`coalesce(updated_at, created_at)`
  const list: List<Sort> = { table: name, columns: refs(columns, name), searched: searched.map(searchColumn), sorts }

  function toRow(found: AnyRow): Row {
    return { ...found, ...valuesOf(found, forms) } as unknown as Row
  }

  function toEdited({ edited_at, ...found }: AnyRow & { edited_at: number }): Edited<Row> {
    return { row: toRow(found), at: edited_at }
  }

  function toColumns(given: Changes | Row): AnyRow {
    const values = given as AnyRow
    return { ...values, ...storedOf(values, forms), ...normalizedTextsOf(values, searched) }
  }

  async function find(db: Db, key: ResourceKey): Promise<Row | undefined> {
    const found = await withAnyTables(db).selectFrom(table).select(columns).where(hasKey(key)).executeTakeFirst()
    return found && toRow(found)
  }

  /** A lock, such as of a session, must keep the owner from being deleted. @returns the existing or the new row */
  async function insert(tx: Tx, row: Row): Promise<Row> {
    const values = toColumns(row)
    // This is plain SQL, because Kysely takes about as long to build it as the database to run it.
    const { numAffectedRows = 0n } = await sql`insert into ${ref(name)} (${refs(Object.keys(values))})
      values (${sql.join(Object.values(values))}) on conflict (id) do nothing`.execute(tx)
    if (numAffectedRows > 0n) return row
    // Another transaction may have deleted the existing row meanwhile.
    return (await find(tx, { id: row.id, ownerId: row.owner_id })) ?? insert(tx, row)
  }

  /** Deletes rows. All transactions lock rows in the order of their ids. @returns the deleted rows */
  async function deleteRows(tx: Tx, where: RawBuilder<SqlBool>): Promise<Pick<ResourceRow, 'id' | 'owner_id'>[]> {
    const rows = withAnyTables(tx).selectFrom(table).select('id').where(where).orderBy('id')
    const locked = isSqlite(tx) ? rows : rows.forUpdate()
    return withAnyTables(tx).deleteFrom(table).where('id', 'in', locked).returning(['id', 'owner_id']).execute()
  }

  async function queryOf(db: Db, given: ResourceRequest<Sort>): Promise<ListQuery> {
    const { owner_id: ownerId, q = '' } = given
    const total = ownerId === undefined ? totalOf(name) : countOf(name, ownerId)
    const values = given as unknown as Asked
    const conditions = [
      ...filters.flatMap((field) => equals(name, field, values[field], forms[field])),
      ...ranges.flatMap((field) => isWithin(name, field, values, forms[field])),
      ...ownFilters.flatMap(([asked, by]) => (values[asked] === undefined ? [] : by(values[asked] as never))),
    ]
    const isCounted = q.trim() !== '' && ownerId !== undefined
    const isSmall = isCounted && ((await total.execute(db)).rows[0]?.count ?? 0) <= MAX_ROWS_WITHOUT_INDEX
    return toListQuery(list, given, { filters: conditions, scope: isVisible(ownerId), total, isSmall })
  }

  return {
    table: name,
    searched: searched as readonly [string, ...string[]],
    links,
    fields: Object.keys(fields) as Name[],
    initial: Object.fromEntries(defined.map(([field, { initial = null }]) => [field, initial])) as Omit<
      Row,
      keyof ResourceRow
    >,
    files: files as readonly string[],
    find,
    insert,

    versionOf,

    async readVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
      const found = await withAnyTables(db)
        .selectFrom(table)
        .select(columns)
        .where('id', 'in', ids)
        .where(isKept)
        .execute()
      return new Map(found.map(toRow).map((row) => [row.id, versionOf(row)]))
    },

    async findEdited(db: Db, key: ResourceKey): Promise<Edited<Row> | undefined> {
      const rows = withAnyTables(db).selectFrom(table).where(hasKey(key))
      const found = await rows.select([...columns, editedAt.as('edited_at')]).executeTakeFirst()
      return found && toEdited(found)
    },

    async insertMany(tx: Tx, rows: Row[]): Promise<void> {
      await withAnyTables(tx).insertInto(table).values(rows.map(toColumns)).execute()
    },

    async lock(tx: Tx, key: ResourceKey): Promise<Row | undefined> {
      // An update without effect locks the row, as in `lockUser`.
      const found = await withAnyTables(tx)
        .updateTable(table)
        .set((e) => ({ created_at: e.ref('created_at') }))
        .where(hasKey(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    async update(tx: Tx, key: ResourceKey, changes: Changes, at: number): Promise<Row | undefined> {
      const given = Object.fromEntries(Object.entries(changes).filter(([field]) => Object.hasOwn(fields, field)))
      if (Object.keys(given).length === 0) return find(tx, key)
      const found = await withAnyTables(tx)
        .updateTable(table)
        .set({ ...toColumns(given as Changes), updated_at: at })
        .where(hasKey(key))
        .returning(columns)
        .executeTakeFirst()
      return found && toRow(found)
    },

    async delete(tx: Tx, key: ResourceKey): Promise<Row | undefined> {
      const found = await withAnyTables(tx).deleteFrom(table).where(hasKey(key)).returning(columns).executeTakeFirst()
      return found && toRow(found)
    },

    /**
     * Deletes a batch of rows. Only one transaction at a time may delete rows of several owners.
     * @param ids the batch takes the first of these ids
     * @param ownerId omit to delete rows of all owners
     * @param prepare may make the batch smaller, and may exclude rows of the batch from the deletion
     * @returns the ids of the batch, and of the deleted rows
     */
    async deleteMany(
      tx: Tx,
      ids: readonly string[],
      ownerId: string | undefined,
      prepare = async (all: string[]) => ({ batch: all, free: all }),
    ): Promise<{ batch: string[]; deleted: Set<string> }> {
      const { batch, free } = await prepare(await fittingIds(tx, name, searched, ids))
      if (free.length === 0) return { batch, deleted: new Set() }
      const where = sql<SqlBool>`id in (${sql.join(free)}) and ${isVisible(ownerId)}`
      return { batch, deleted: new Set((await deleteRows(tx, where)).map(({ id }) => id)) }
    },

    /** Deletes rows of any owner, even if rows link to them. @returns the deleted rows */
    deleteRows: (tx: Tx, ids: readonly string[]) => deleteRows(tx, sql`id in (${sql.join(ids)})`),

    async readNames(db: Db, ids: readonly string[], ownerId: string | undefined): Promise<Map<string, string>> {
      const rows = withAnyTables(db).selectFrom(table).where('id', 'in', ids).where(isVisible(ownerId))
      const found = await rows.select(['id', sql<string>`${sql.ref(searched[0])}`.as('name')]).execute()
      return new Map(found.map((row) => [row.id, row.name]))
    },

    /** @returns an SQL expression for the name of the row with an id; null if the owner does not see the row */
    nameOf: (id: RawBuilder<unknown>, ownerId: string | undefined): RawBuilder<unknown> =>
      sql`(select ${sql.ref(`linked.${searched[0]}`)} from ${sql.table(name)} as linked
        where linked.id = ${id} and ${isVisible(ownerId)})`,

    /** Keeps a row from being deleted until the transaction ends. @returns whether the row exists */
    async hold(tx: Tx, key: ResourceKey): Promise<boolean> {
      const row = withAnyTables(tx).selectFrom(table).select('id').where(hasKey(key))
      return (await (isSqlite(tx) ? row : row.forKeyShare()).executeTakeFirst()) !== undefined
    },

    /** Keeps others from linking to a row until the transaction ends. */
    async lockForDeletion(tx: Tx, key: ResourceKey): Promise<boolean> {
      const row = withAnyTables(tx).selectFrom(table).select('id').where(hasKey(key))
      return (await (isSqlite(tx) ? row : row.forUpdate()).executeTakeFirst()) !== undefined
    },

    /**
     * Locks rows that link to one of `ids` by a field: at most `limit`, with the lowest ids first.
     * @param isDeep whether to also lock rows that link to the found ones by the same field
     */
    async lockLinking(
      tx: Tx,
      field: string,
      ids: readonly string[],
      { limit, isDeep }: { limit: number; isDeep: boolean },
    ): Promise<string[]> {
      const linking = sql<SqlBool>`${sql.ref(field)} in (${sql.join(ids)}) and ${isKept}`
      const chain = sql<SqlBool>`id in (
        with recursive linking (linked) as (
          select id from ${sql.table(name)} where ${linking}
          union select id from ${sql.table(name)} join linking on ${sql.ref(field)} = linked where ${isKept}
        ) select linked from linking limit ${limit})`
      const where = isDeep ? chain : linking
      const rows = withAnyTables(tx).selectFrom(table).select('id').where(where).orderBy('id').limit(limit)
      return (await (isSqlite(tx) ? rows : rows.forUpdate()).execute()).map(({ id }) => id)
    },

    async clear(tx: Tx, field: string, ids: readonly string[], at: number): Promise<void> {
      const cleared = { [field]: null, updated_at: at }
      await withAnyTables(tx).updateTable(table).set(cleared).where('id', 'in', ids).execute()
    },

    findSome: (tx: Tx, ownerIds: readonly string[]): Promise<string[]> =>
      firstIds(tx, name, searched, sql`owner_id in (${sql.join(ownerIds)})`),

    /** Finds a batch of rows that link to one of `ids`, also rows of deleted owners. @param except rows to leave out */
    async findLinking(tx: Tx, field: string, ids: readonly string[], except: readonly string[]): Promise<string[]> {
      const linking = sql`${sql.ref(field)} in (${sql.join(ids)})`
      const where = except.length === 0 ? linking : sql`${linking} and id not in (${sql.join(except)})`
      return firstIds(tx, name, searched, where)
    },

    async recentlyEdited(db: Db, limit: number, ownerId?: string): Promise<Edited<Row>[]> {
      const last = await withAnyTables(db)
        .selectFrom(table)
        .where(isVisible(ownerId))
        .select([...columns, editedAt.as('edited_at')])
        .orderBy(editedAt, 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return last.map(toEdited)
    },

    async list(db: Db, given: ResourceRequest<Sort>, page: Page): Promise<PageOf<Row>> {
      const { data, count } = await readPage<AnyRow>(db, list, await queryOf(db, given), page)
      return { data: data.map(toRow), count }
    },

    async findIds(db: Db, given: ResourceRequest<Sort>, only: Only): Promise<string[]> {
      return findIds(db, list, await queryOf(db, given), only)
    },

    /** Streams rows in batches. @param further more columns, because the connection takes no other query meanwhile */
    async *stream(
      db: Db,
      given: ResourceRequest<Sort>,
      rowsAtOnce: number,
      further: readonly RawBuilder<unknown>[] = [],
    ): AsyncGenerator<Row[]> {
      const query = await queryOf(db, given)
      for await (const rows of streamRows<AnyRow>(db, list, query, rowsAtOnce, further)) yield rows.map(toRow)
    },
  }
}

type Asked = Record<string, string | number | undefined>

/** @param asked one or more values of a choice, separated by commas, or one value of another field */
function equals(
  table: string,
  column: string,
  asked: string | number | undefined,
  form: StoredForm | undefined,
): Filter[] {
  if (asked === undefined) return []
  if (form === 'flag')
    return [filterOf({ table, column, isRange: false }, (field) => sql`${field} = ${Number(asked === 'yes')}`)]
  const values = String(asked).split(',')
  // The index has the rows of several values, like those of a range, not in the order of their creation.
  return [
    filterOf({ table, column, isRange: values.length > 1 }, (field) =>
      values.length > 1 ? sql`${field} in (${sql.join(values)})` : sql`${field} = ${asked}`,
    ),
  ]
}

/** Makes one condition of both bounds, so that the database counts the matches in the index of the field. */
function isWithin(table: string, column: string, asked: Asked, form: StoredForm | undefined): Filter[] {
  const [from, to] = [asked[`${column}_from`], asked[`${column}_to`]]
  if (from === undefined && to === undefined) return []
  return [
    filterOf({ table, column, isRange: true }, (field) => {
      const bounds: RawBuilder<unknown>[] = []
      if (from !== undefined) bounds.push(sql`${field} >= ${boundOf(from, form, 'first')}`)
      if (to !== undefined) bounds.push(sql`${field} <= ${boundOf(to, form, 'last')}`)
      return sql.join(bounds, sql` and `)
    }),
  ]
}

/** @param side which end of the day to take if a time field is asked for by a day */
function boundOf(
  asked: string | number,
  form: StoredForm | undefined,
  side: 'first' | 'last',
): string | number | undefined {
  if (form === 'time') return readDateOrTime(String(asked))?.[side]
  return form === undefined ? asked : toStored(form, String(asked))
}

const withAnyTables = (db: Db) => db as unknown as Kysely<AnyTables>

function hasKey({ id, ownerId }: ResourceKey) {
  return sql<SqlBool>`id = ${id} and ${isVisible(ownerId)}`
}

function isVisible(ownerId: string | undefined) {
  return ownerId === undefined ? isKept : sql<SqlBool>`owner_id = ${ownerId} and ${isKept}`
}

const deletedOwners = sql`select owner_id from deleted_owners`

/** Leaves out rows of deleted owners. The first condition is evaluated once and usually enough. */
const isKept = sql<SqlBool>`(not exists (${deletedOwners}) or owner_id not in (${deletedOwners}))`
