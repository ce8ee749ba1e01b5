import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { recordChanges } from '../platform/database/changes.ts'
import { addCounts } from '../platform/database/counts.ts'
import { isSqlite } from '../platform/database/dialect.ts'
import { addTrigger, columnsOf } from '../platform/database/schema.ts'
import { addSearchIndex } from '../platform/database/search-index.ts'

// Migrations made the existing tables by this code. If its results change, a new migration must change these tables,
// whose names are in the table `totals`.

const types = {
  text: sql`text`,
  integer: sql`integer`,
  flag: sql`smallint`,
  date: sql`text`,
  time: sql`bigint`,
  decimal: sql`bigint`,
  /** JSON of the facts of a file, which do not change. */
  file: sql`text`,
  link: sql`uuid`,
}

interface Column {
  name: string
  type: keyof typeof types
  isNullable?: boolean
  /** The value for existing rows, if the column must not be null. */
  initial?: string
  /** Whether lists are filtered and sorted by the column: docs/decisions/0040-indexed-fields.md. */
  isIndexed?: boolean
  /** Whether lists are filtered, but not sorted, by the column. */
  isFiltered?: boolean
  to?: string
}

interface ResourceTable {
  table: string
  columns: readonly Column[]
  /** The searched columns. The first one must not be nullable; lists can be sorted by it. */
  searched: readonly [string, ...string[]]
}

export async function addResourceTable(db: Kysely<unknown>, given: ResourceTable): Promise<void> {
  const { table, columns, searched } = given
  const isPostgres = !isSqlite(db)
  const isRequired = (name: string) => columns.some((column) => column.name === name && !column.isNullable)
  let create = db.schema
    .createTable(table)
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    // No foreign key, because rows may be deleted after their owner: docs/decisions/0018-plain-lists.md.
    .addColumn('owner_id', 'uuid', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
  for (const column of columns) create = create.addColumn(column.name, types[column.type], constraintsOf(column))
  // Texts are sorted by code points on both databases.
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  for (const name of searched)
    create = create.addColumn(`${name}_search`, text, (c) => (isRequired(name) ? c.notNull() : c))
  await create.addColumn('updated_at', 'bigint').execute()

  const index = (name: string, on: string) => addIndex(db, table, name, on)
  await index('newest', '(created_at, id, owner_id)')
  await index('newest_of_owner', '(owner_id, created_at, id)')
  // Finds the row that was edited last. It contains the owner, so that rows of deleted owners are skipped in the index.
  await index('last_edited', '(coalesce(updated_at, created_at), id, owner_id)')
  await index('last_edited_of_owner', '(owner_id, coalesce(updated_at, created_at), id)')
  const searchColumns = searched.map((name) => `${name}_search`)
  const [first = ''] = searchColumns
  // PostgreSQL's B-trees take entries of up to 2,704 bytes.
  await index(first, isPostgres ? `(left(${first}, 600))` : `(${first}, id)`)
  await index(`${first}_of_owner`, isPostgres ? `(owner_id, left(${first}, 600))` : `(owner_id, ${first}, id)`)
  await addFilterIndexes(db, table, columns)
  await addFileTrigger(db, table, columns)
  await addSearchIndex(db, table, searchColumns)
  await addCounts(db, table, 'owner_id')
  await recordChanges(db, table, 'owner_id')
}

const addIndex = (db: Kysely<unknown>, table: string, name: string, on: string) =>
  sql`create index ${sql.id(`${table}_${name}`)} on ${sql.table(table)} ${sql.raw(on)}`.execute(db)

async function addFilterIndexes(db: Kysely<unknown>, table: string, columns: readonly Column[]): Promise<void> {
  for (const { name, isNullable, isIndexed } of columns.filter((column) => column.isIndexed || column.isFiltered)) {
    // The name is quoted, because it may be a keyword of SQL.
    const column = `"${name}"`
    await addIndex(db, table, name, `(${column}, created_at, id, owner_id)`)
    await addIndex(db, table, `${name}_of_owner`, `(owner_id, ${column}, created_at, id)`)
    // Rows without a value are last in both directions: PostgreSQL needs another index, SQLite reads one in two parts.
    if (!isIndexed || !isNullable || isSqlite(db)) continue
    const descending = `${column} desc nulls last, created_at desc, id desc`
    await addIndex(db, table, `${name}_desc`, `(${descending}, owner_id)`)
    await addIndex(db, table, `${name}_of_owner_desc`, `(owner_id, ${descending})`)
  }
}

/** When a row is deleted, the trigger marks its files, and server/files/jobs.ts deletes them later. */
async function addFileTrigger(db: Kysely<unknown>, table: string, columns: readonly Column[]): Promise<void> {
  if (!columns.some(({ type }) => type === 'file')) return
  await addTrigger(db, {
    table,
    on: 'delete',
    name: 'files',
    columns: ['id'],
    statements: (rows) => [`update files set expires_at = 0 where row_id in (select id from ${rows})`],
  })
}

const triggers = ['count_insert', 'count_delete', 'changes_insert', 'changes_update', 'changes_delete']

/** @public Used by the migrations of scripts/new/remove.ts. */
export async function dropResourceTable(db: Kysely<unknown>, table: string): Promise<void> {
  const others = isSqlite(db) ? [`${table}_search`, `${table}_search_rows`] : []
  for (const name of [table, ...others]) await db.schema.dropTable(name).execute()
  if (!isSqlite(db)) for (const name of triggers) await sql`drop function ${sql.id(`${table}_${name}`)}()`.execute(db)
  if ((await columnsOf(db, 'files')).length > 0) {
    await sql`update files set expires_at = 0 where resource = ${table}`.execute(db)
    if (!isSqlite(db)) await sql`drop function if exists ${sql.id(`${table}_files_delete`)}()`.execute(db)
  }
  for (const kept of ['counts', 'totals']) await sql`delete from ${sql.table(kept)} where name = ${table}`.execute(db)
  await sql`delete from changes where resource = ${table}`.execute(db)
}

/** In existing rows a flag is 0. @public Used by the migrations of scripts/new/field.ts. */
export async function addColumns(db: Kysely<unknown>, table: string, columns: readonly Column[]): Promise<void> {
  for (const column of columns)
    await db.schema
      .alterTable(table)
      .addColumn(column.name, types[column.type], (c) => {
        const added = constraintsOf(column)(c)
        const initial = column.type === 'flag' ? 0 : column.initial
        return initial === undefined ? added : added.defaultTo(initial)
      })
      .execute()
  await addFilterIndexes(db, table, columns)
  await addFileTrigger(db, table, columns)
  await recordChanges(db, table, table === 'users' ? 'id' : 'owner_id')
}

/** @public Used by the migrations of scripts/new/choice.ts. */
export async function moveValues(
  db: Kysely<unknown>,
  table: string,
  column: string,
  moves: Readonly<Record<string, string | null>>,
): Promise<void> {
  const [name, rows] = [sql.ref(column), sql.table(table)]
  for (const [from, to] of Object.entries(moves))
    await sql`update ${rows} set ${name} = ${to} where ${name} = ${from}`.execute(db)
}

function constraintsOf({ name, type, isNullable = false, to }: Column) {
  return (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => {
    const given = isNullable ? column : column.notNull()
    // The foreign key handles links that server/links/ leaves: from rows of deleted owners, and in a circle.
    if (to !== undefined)
      return given.modifyEnd(
        sql`references ${sql.table(to)} (id) on delete ${sql.raw(isNullable ? 'set null' : 'cascade')} deferrable`,
      )
    return type === 'flag' ? given.check(sql`${sql.ref(name)} in (0, 1)`) : given
  }
}
