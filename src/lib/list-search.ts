import { type DialogSearch, toDialog, toDialogSearch } from './dialog-search'
import { pageQuery, toPage } from './paging'

/** The search parameters of a list. */
export interface ListSearch {
  page?: number | undefined
}

/** Reads the search parameters of a page with a list and its dialogs. Invalid ones are dropped. */
export function toListSearch(search: Record<string, unknown>): ListSearch & DialogSearch {
  const page = search.page === undefined ? undefined : toPage(search.page)
  return { page, ...toDialogSearch(toDialog(search)) }
}

/** What the API is asked for by these parameters. */
export function toListQuery({ page = 1 }: ListSearch) {
  return pageQuery(page)
}
