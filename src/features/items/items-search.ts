import * as z from 'zod/mini'
import { pageQuery } from '@/lib/paging'
import { screens } from '@/lib/screens'
import { dayOrTime, defined, type DialogOf, flag, id, optional, pageNumber, rowId, text } from '@/lib/search-params'

export const itemDialogs = { add: flag, delete_selected: flag, edit: rowId, delete: rowId }

export type ItemDialog = DialogOf<typeof itemDialogs>

const { choices } = screens['/items'].list

/** The search parameters of the items page. */
export const itemsSearch = z.object({
  q: text(),
  owner_id: id(),
  created_from: dayOrTime(),
  created_to: dayOrTime(),
  sort: optional(z.enum(choices.sort)),
  page: pageNumber(),
  ...itemDialogs,
})

export const itemFilters = ['q', 'owner_id', 'created_from', 'created_to'] as const

/** The query for the API. */
export const toItemsQuery = ({ page, q, owner_id, created_from, created_to, sort }: z.infer<typeof itemsSearch>) =>
  defined({ ...pageQuery(page), q, owner_id, created_from, created_to, sort })
