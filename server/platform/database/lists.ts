import { type RawBuilder, sql } from 'kysely'
import type { ResourceTable } from '../../tables.ts'
import { countCodePoints } from '../lib/code-points.ts'
import { readDateOrTime } from '../lib/date-or-time.ts'
import { toSearchWords } from '../lib/normalized-text.ts'
import { isSqlite, quoted, ref, refs } from './dialect.ts'
import { joinNormalizedTexts } from './search-index.ts'
import type { Db } from './store.ts'

// Queries of lists that can be searched, filtered, sorted and exported: docs/decisions/0024-search.md.

export interface List<Sort extends string> {
  table: 'users' | 'audit' | ResourceTable
  /** The selected columns. */
  columns: RawBuilder<unknown>
  joins?: RawBuilder<unknown>
  /** Columns with normalized texts, which SQLite's table `<table>_search` indexes. */
  searched: readonly string[]
  sorts: Record<Sort, SortColumn>
}

export interface SortColumn {
  column: string
  /** The column contains a normalized text. */
  isText?: boolean
  isNullable?: boolean
  /** Whether ties are sorted by time and then by id, as in the indexes of resources, or by id alone. */
  hasNewest?: boolean
}

type AnyList = List<string>

/** The search, time of creation and order in a request for a list. Each list adds its filters. */
export interface ListRequest<Sort extends string> {
  q?: string | undefined
  /** A date (UTC), or a time with its zone, inclusive. */
  created_from?: string | undefined
  created_to?: string | undefined
  sort?: Sort | `-${Sort}` | undefined
}

/** @property limit at most 100 */
export interface Page {
  skip: number
  limit: number
}

export interface PageOf<T> {
  data: T[]
  count: number
}

export const DEFAULT_SORT = '-created_at'

export interface Filter {
  where: RawBuilder<unknown>
  /** Whether the filter is a period of `created_at`, or `at` of the audit log, which each index contains, too. */
  isTime?: boolean
  /** Conditions for the rows that do not match. Counting those rows and subtracting them from the total is faster. */
  rest?: readonly RawBuilder<unknown>[]
  field?: {
    column: string
    isRange: boolean
    /** The same condition, written so that SQLite uses no index for it. */
    scanned: RawBuilder<unknown>
  }
}

/** A condition on a field that has an index. */
export function filterOf(
  { table, column, isRange }: { table: string; column: string; isRange: boolean },
  toCondition: (field: RawBuilder<unknown>) => RawBuilder<unknown>,
): Filter {
  const field = ref(`${table}.${column}`)
  return { where: toCondition(field), field: { column, isRange, scanned: toCondition(sql`+${field}`) } }
}

export interface ListQuery {
  /** Normalized search words. A row must contain all of them. */
  words: readonly string[]
  sort: SortColumn & { descending: boolean }
  filters: readonly Filter[]
  /** A condition for the rows that the caller may see. */
  scope?: RawBuilder<unknown>
  /** A query for the number of rows in the scope, as `count`. */
  total: RawBuilder<unknown>
  /** Whether the scope is so small that an index over the whole table does not help. */
  isSmall?: boolean
}

export function toListQuery<Sort extends string>(
  { sorts }: List<Sort>,
  { q = '', sort = DEFAULT_SORT as `-${Sort}`, created_from: from, created_to: to }: ListRequest<Sort>,
  conditions: Omit<ListQuery, 'words' | 'sort'>,
): ListQuery {
  const descending = sort.startsWith('-')
  const by = (descending ? sort.slice(1) : sort) as Sort
  const filters = [...conditions.filters, ...createdWithin(from, to)]
  return { ...conditions, filters, words: toSearchWords(q), sort: { ...sorts[by], descending } }
}

function createdWithin(from: string | undefined, to: string | undefined): Filter[] {
  const bounds: RawBuilder<unknown>[] = []
  if (from !== undefined) bounds.push(sql`created_at >= ${readDateOrTime(from)?.first}`)
  if (to !== undefined) bounds.push(sql`created_at <= ${readDateOrTime(to)?.last}`)
  return bounds.length === 0 ? [] : [{ where: sql.join(bounds, sql` and `), isTime: true }]
}

/**
 * Up to this number of matches are collected and sorted. If there are more, the table is scanned in the order of the
 * list until the page is full, and searched words are compared with all rows to count the matches.
 */
const fewOf = ({ words }: { words: readonly string[] }): number => (words.length > 0 ? 20_000 : 2_000)

/** Pages within the first rows are read in the order of the list. */
const MAX_ROWS_IN_ORDER = 200

/** At most this many rows of each filter are counted to find the filter with the fewest rows. */
const COMPARED = 20_000
const COMPARED_IN_ORDER = 1_000

/** How many code points of a searched word are looked up in the index. */
const MAX_INDEXED = 64

/** Reads a page of a list, with the count of all matching rows, from one snapshot. */
export async function readPage<Row>(db: Db, list: AnyList, query: ListQuery, page: Page): Promise<PageOf<Row>> {
  if (query.words.length === 0 && query.filters.length === 0) {
    const isFirst = query.sort.column === 'created_at' && page.limit > 0 && page.skip <= MAX_ROWS_IN_ORDER
    const first = isFirst ? (await rowsInOrder<Row>(db, list, query, page).execute(db)).rows : []
    // Only `scan` returns the count of an empty page.
    return toPage(first.length > 0 ? first : (await scan<Row>(db, list, query, query, page).execute(db)).rows)
  }
  const found = await chooseIndex(db, list, query)
  const few = await readFew<Row>(db, list, found, page)
  if (few.count <= fewOf(query)) return few
  return toPage((await scan<Row>(db, list, found, inOrder(db, query, found, page), page).execute(db)).rows)
}

export interface Place {
  id: string
  at: number
}

export async function readOlder<Row>(
  db: Db,
  list: AnyList,
  query: ListQuery,
  { before, limit }: { before?: Place | undefined; limit: number },
): Promise<Row[]> {
  const { sort } = query
  const found = await chooseIndex(db, list, query, true)
  const indexed = query.words.length > 0 && (await hasFew(db, list, found))
  const [at, id] = [ref(`${list.table}.${sort.column}`), ref(`${list.table}.id`)]
  const place = before && sql`${at} <= ${before.at} and (${at} < ${before.at} or ${id} < ${before.id})`
  const filters = place ? [...found.filters, { where: place }] : found.filters
  const keys = sql`select ${keysOf(sort, list.table)} ${matches(db, list, { ...found, filters }, { indexed })}
    order by ${order(db, sort, list.table)} limit ${limit}`
  return toPage((await rowsOf<Row>(db, list, sort, sql`select 0 as count`, keys).execute(db)).rows).data
}

async function hasFew(db: Db, list: AnyList, query: ListQuery): Promise<boolean> {
  const few = sql`select 1 ${matches(db, list, query, { indexed: true })} limit ${fewOf(query) + 1}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${few}) as few`.execute(db)
  return (rows[0]?.count ?? 0) <= fewOf(query)
}

type RowOfPage<Row> = Row & { id: string | null; count: number }

/** Takes half the time of `scan` if an index has exactly the order of the list. Otherwise, it sorts whole rows. */
function rowsInOrder<Row>(db: Db, list: AnyList, query: ListQuery, page: Page): RawBuilder<RowOfPage<Row>> {
  return sql`select (${query.total}) as count, ${list.columns} ${matches(db, list, query, { indexed: false })}
    order by ${order(db, query.sort, list.table)} limit ${page.limit} offset ${page.skip}`
}

/** @param ordered the query for the rows, which may use other indexes than the one that counts */
function scan<Row>(db: Db, list: AnyList, query: ListQuery, ordered: ListQuery, page: Page) {
  const found = sql`select ${keysOf(query.sort)} ${matches(db, list, ordered, { indexed: false })}
    order by ${order(db, query.sort)} limit ${page.limit} offset ${page.skip}`
  return rowsOf<Row>(db, list, query.sort, countOf(db, list, query), found)
}

type Field = NonNullable<Filter['field']>

function withoutIndexes(query: ListQuery, isUseless: (field: Field) => boolean): ListQuery {
  const filters = query.filters.map((filter) =>
    filter.field && isUseless(filter.field) ? { ...filter, where: filter.field.scanned } : filter,
  )
  return { ...query, filters }
}

/**
 * Chooses the filter whose index SQLite uses, because SQLite does not know how many rows match: the filter with the
 * fewest rows. If all have many, a filter by value is better, because the rows of a range are spread over the table.
 * @param isInOrder whether the indexes are in the order of the list
 */
async function chooseIndex(db: Db, list: AnyList, query: ListQuery, isInOrder = false): Promise<ListQuery> {
  const { filters, scope, sort } = query
  const compared = isInOrder ? COMPARED_IN_ORDER : COMPARED
  const fields = filters.flatMap(({ where: condition, field }) => (field ? [{ condition, ...field }] : []))
  if (!isSqlite(db) || fields.length < 2) return query
  const common = filters.filter(({ isTime }) => isTime).map((filter) => filter.where)
  if (scope !== undefined) common.push(scope)
  const ordered = isInOrder ? sql`order by ${order(db, sort)}` : sql``
  const sizes = fields.map(({ condition, column }) => {
    const of = where([...common, condition])
    return sql`(select count(*) from (select 1 from ${ref(list.table)} ${of} ${ordered} limit ${compared}))
      as ${ref(column)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(sizes)}`.execute(db)
  const sizeOf = ({ column }: Field): number => rows[0]?.[column] ?? compared
  const [best] = fields.toSorted((a, b) => sizeOf(a) - sizeOf(b) || Number(a.isRange) - Number(b.isRange))
  const isNone = best?.isRange === true && sizeOf(best) === compared
  const found = withoutIndexes(query, ({ scanned }) => isNone || scanned !== best?.scanned)
  // The condition is always true. It makes SQLite choose the index by owner and time.
  return isNone && scope !== undefined ? { ...found, scope: sql`${scope} and created_at >= 0` } : found
}

/**
 * Keeps SQLite from using an index that would make it collect and sort many matches.
 * @param found the query for later pages
 */
function inOrder(db: Db, query: ListQuery, found: ListQuery, { skip }: Page): ListQuery {
  if (!isSqlite(db) || skip > MAX_ROWS_IN_ORDER) return found
  const { column: sorted } = query.sort
  // In the index of a field, the rows with the same value are in the order of time.
  return withoutIndexes(query, ({ column, isRange }) => column !== sorted && (isRange || sorted !== 'created_at'))
}

/** Streams all matching rows in batches, from one snapshot. @param further columns besides those of the list */
export async function* streamRows<Row>(
  db: Db,
  list: AnyList,
  query: ListQuery,
  rowsAtOnce: number,
  further: readonly RawBuilder<unknown>[] = [],
): AsyncGenerator<Row[]> {
  const found = matches(db, list, query, { indexed: true })
  const table = ref(list.table)
  const from = list.joins ? sql`from (select ${table}.* ${found}) as ${table} ${list.joins}` : found
  const rowsQuery = sql<Row>`select ${sql.join([list.columns, ...further])} ${from}
    order by ${order(db, query.sort, list.table)}`
  for await (const { rows } of db.getExecutor().stream(rowsQuery.compile(db), rowsAtOnce)) yield rows
}

/** Looks only among the rows with these ids, or stops after a number of rows. */
export type Only = { among: readonly string[] } | { limit: number }

export async function findIds(db: Db, list: AnyList, query: ListQuery, only: Only): Promise<string[]> {
  const id = ref(`${list.table}.id`)
  const found =
    'limit' in only
      ? sql`${matches(db, list, query, { indexed: true })} limit ${only.limit}`
      : matches(db, list, withIds(db, id, only.among, query), { indexed: false })
  return (await sql<{ id: string }>`select ${id} ${found}`.execute(db)).rows.map((row) => row.id)
}

/** Passes the ids as one value, because a statement with thousands of values takes long to build. */
function withIds(db: Db, id: RawBuilder<unknown>, ids: readonly string[], query: ListQuery): ListQuery {
  const isOne = isSqlite(db)
    ? sql`${id} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql`${id} = any(${ids})`
  return { ...query, scope: query.scope === undefined ? isOne : sql`${isOne} and ${query.scope}` }
}

/** If the count exceeds `fewOf`, the rows are not those of the page. */
async function readFew<Row>(db: Db, list: AnyList, query: ListQuery, page: Page): Promise<PageOf<Row>> {
  const few = sql`select ${keysOf(query.sort, list.table)}
    ${matches(db, list, query, { indexed: true })} limit ${fewOf(query) + 1}`
  const count = sql`select count(*) as count from few`
  const found = sql`select * from few
    order by ${order(db, query.sort)} limit ${page.limit} offset ${page.skip}`
  const before = sql`with few as materialized (${few})`
  return toPage((await rowsOf<Row>(db, list, query.sort, count, found, before).execute(db)).rows)
}

function rowsOf<Row>(
  db: Db,
  list: AnyList,
  sort: ListQuery['sort'],
  count: RawBuilder<unknown>,
  found: RawBuilder<unknown>,
  before = sql``,
): RawBuilder<RowOfPage<Row>> {
  return sql`${before}
    select total.count, ${list.columns} from (${count}) as total
    left join (${found}) as page on true
    left join ${ref(list.table)} on ${ref(`${list.table}.id`)} = page.id ${list.joins ?? sql``}
    order by ${order(db, sort, 'page')}`
}

/** An empty page is one row with only the count. */
function toPage<Row>(rows: RowOfPage<Row>[]): PageOf<Row> {
  const data = rows.filter(({ id }) => id !== null).map(({ count: _count, ...row }) => row as Row)
  return { data, count: rows[0]?.count ?? 0 }
}

function countOf(db: Db, list: AnyList, query: ListQuery): RawBuilder<unknown> {
  const { words, filters, scope, total } = query
  const table = ref(list.table)
  const [filter] = filters
  if (words.length === 0 && filter === undefined) return total
  if (words.length === 0 && filters.length === 1 && filter?.rest !== undefined) {
    const counts = filter.rest.map(
      (group) => sql`(select count(*) from ${table} ${where(scope === undefined ? [group] : [scope, group])})`,
    )
    return sql`select (${total}) - ${sql.join(counts, sql` - `)} as count`
  }
  return sql`select count(*) as count ${matches(db, list, query, { indexed: false })}`
}

function matches(
  db: Db,
  list: AnyList,
  { words, filters, scope, isSmall = false }: Pick<ListQuery, 'words' | 'filters' | 'scope' | 'isSmall'>,
  { indexed }: { indexed: boolean },
): RawBuilder<unknown> {
  const from = sql`from ${ref(list.table)}`
  const conditions = filters.map((filter) => filter.where)
  if (scope !== undefined) conditions.push(scope)
  if (!isSqlite(db))
    return sql`${from} ${where([...conditions, ...words.map((word) => containsOnPostgres(list, word))])}`
  const lookedUp = indexed && !isSmall ? words.filter((word) => countCodePoints(word) >= 3) : []
  const compared = words.filter((word) => !lookedUp.includes(word) || countCodePoints(word) > MAX_INDEXED)
  conditions.push(...compared.map((word) => containsOnSqlite(list, word)))
  if (lookedUp.length === 0) return sql`${from} ${where(conditions)}`
  const index = ref(`${list.table}_search`)
  const rows = ref(`${list.table}_search_rows`)
  // SQLite keeps the order of cross joins, so that a limit ends the search early.
  return sql`from ${index}
    cross join ${rows} on ${ref(`${list.table}_search_rows.number`)} = ${ref(`${list.table}_search.rowid`)}
    cross join ${ref(list.table)} on ${ref(`${list.table}.id`)} = ${ref(`${list.table}_search_rows.id`)}
    ${where([sql`${index} match ${toMatch(lookedUp)}`, ...conditions])}`
}

function containsOnSqlite(list: AnyList, word: string): RawBuilder<unknown> {
  const found = list.searched.map((column) => sql`instr(${ref(`${list.table}.${column}`)}, ${word}) > 0`)
  return sql`(${sql.join(found, sql` or `)})`
}

/** Uses `like`, which the trigram index supports. */
function containsOnPostgres(list: AnyList, word: string): RawBuilder<unknown> {
  const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const text = joinNormalizedTexts(list.searched.map((column) => ref(`${list.table}.${column}`)))
  return sql`(${text}) like ${pattern}`
}

/** The FTS5 query: every word as a phrase of trigrams. */
function toMatch(words: readonly string[]): string {
  const phrases = words.map((word) => Array.from(word).slice(0, MAX_INDEXED).join('').replaceAll('"', '""'))
  return phrases.map((phrase) => `"${phrase}"`).join(' ')
}

function keysOf({ column, hasNewest }: SortColumn, table?: string): RawBuilder<unknown> {
  return refs(['id', ...(hasNewest ? ['created_at'] : []), column], table)
}

const TIMES = new Set(['created_at', 'at'])

/**
 * Equal values are sorted by time if the sort has `hasNewest`, and then by id. The id ascends, unless the sort is by
 * time or has `hasNewest`: then it has the direction of the sort.
 */
function order(
  db: Db,
  { column, descending, isText = false, isNullable = false, hasNewest = false }: ListQuery['sort'],
  table?: string,
): RawBuilder<unknown> {
  const refTo = (name: string) => quoted(name, table)
  const sorted = refTo(column)
  const way = descending ? 'desc' : 'asc'
  const direction = isNullable ? `${way} nulls last` : way
  const keys = [`${sorted} ${direction}`]
  if (hasNewest) keys.push(`${refTo('created_at')} ${way}`)
  keys.push(`${refTo('id')} ${hasNewest || TIMES.has(column) ? way : 'asc'}`)
  // PostgreSQL uses an index only for the same expression, and the indexes contain the first 600 characters of texts.
  if (isText && !isSqlite(db)) keys.unshift(`left(${sorted}, 600) ${direction}`)
  return sql.raw(keys.join(', '))
}

function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`
}
