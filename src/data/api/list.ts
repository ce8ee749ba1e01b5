import type { UseQueryOptions } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import * as z from 'zod/mini'
import { pageQuery } from '@/lib/paging'
import { defined, type Dialogs, type flag, optional, pageNumber, type rowId, text } from '@/lib/search-params'
import { hintedStaleTime } from '../live/stale-time'
import type { Tag } from '@/lib/resources'
import { type ApiResponse, resourceOptions } from './resource'

export interface PageOf<Row> {
  data: Row[]
  count: number
}

// oxlint-disable-next-line typescript/no-explicit-any -- generated queries have types of their own for errors and keys
type PageQuery<Row> = UseQueryOptions<PageOf<Row>, any, PageOf<Row>, any>

export interface ListQuery {
  skip?: number
  limit?: number
  q?: string
  sort?: string
}

export type FilterOf<Query> = Omit<Query, 'skip' | 'limit' | 'sort'>

/** A schema for each filter of the contract; the search text has one already. */
type FiltersOf<Query> = {
  [Name in Exclude<keyof FilterOf<Query>, 'q'>]-?: z.ZodMiniType<Query[Name] | undefined>
}

export type SortOf<Query> = Query extends { sort?: infer Sort }
  ? Exclude<Sort, `-${string}` | 'created_at' | undefined> & string
  : never

type RowDialogs = Dialogs & { add: typeof flag; edit: typeof rowId; delete: typeof rowId }

type Values<Filters> = { [Name in keyof Filters]?: z.output<Filters[Name]> | undefined }

export interface ListSearch {
  q?: string | undefined
  sort?: string | undefined
  page?: number | undefined
}

interface ListOptions<Row, Query, Filters, All> {
  /** The plural in the contract, which is also the path of the page. */
  tag: Tag
  noun: string
  icon: LucideIcon
  name: keyof Row & string
  read: (options: { query: Query; priority: RequestPriority }) => PageQuery<Row>
  readRow: (id: string, signal: AbortSignal) => Promise<ApiResponse<Row>>
  /** The filters, in the order in which an address has them. */
  filters: Filters
  /** Users can sort every list by the time of creation, too. */
  sorts: readonly SortOf<Query>[]
  dialogs: All
  /** Adds parameters that the URL leaves out. */
  toQuery?: (query: Query) => Query
}

export interface List<Row, Query, Filters, All> extends Omit<ListOptions<Row, Query, Filters, All>, 'toQuery'> {
  nameOf: (row: Row) => string
  filterNames: readonly (keyof Values<Filters> | 'q')[]
  page: (query: Query, priority?: RequestPriority) => PageQuery<Row>
  row: (id: string) => ReturnType<typeof resourceOptions<Row & object>>
  toQuery: (search: SearchOf<Filters>) => Query
}

export type SearchOf<Filters> = Values<Filters> & ListSearch

/**
 * Defines a list. Each filter of the contract has one schema here, from which the address, its names and the query
 * derive. Separate from the page, so that a route can request rows while the page's code loads.
 */
export function defineList<
  Row extends { id: string },
  Query extends ListQuery,
  Filters extends FiltersOf<Query> & Record<Exclude<keyof Filters, keyof FiltersOf<Query>>, never>,
  All extends RowDialogs,
>(options: ListOptions<Row, Query, Filters, All>) {
  const { tag, name, read, readRow, filters, sorts, dialogs, toQuery = (query: Query) => query } = options
  const orders = ['created_at', ...sorts.flatMap((field) => [field, `-${field}` as const])] as const
  const filterNames = ['q', ...Object.keys(filters)] as (keyof Filters | 'q')[]
  const list: List<Row, Query, Filters, All> = {
    ...options,
    nameOf: (row) => row[name] as string,
    filterNames,
    page: (query, priority = 'auto') => ({ ...read({ query, priority }), staleTime: hintedStaleTime() }),
    row: (id) => resourceOptions(tag, id, (signal) => readRow(id, signal)),
    toQuery: ({ page, sort, ...search }) => {
      const given = search as Partial<Record<keyof Filters | 'q', unknown>>
      const filter = Object.fromEntries(filterNames.map((filterName) => [filterName, given[filterName]]))
      return toQuery(defined({ ...pageQuery(page), ...filter, sort }) as Query)
    },
  }
  return {
    ...list,
    // No sort means newest first.
    search: z.object({ q: text(), ...filters, sort: optional(z.enum(orders)), page: pageNumber(), ...dialogs }),
  }
}
