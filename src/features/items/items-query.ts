import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import { pageQuery } from '@/lib/paging'

/** One page of items, newest first. Apart from the page, so that a route can ask for the rows while the page's code comes. */
export const itemsPageOptions = (page: number) => itemsReadItemsOptions({ query: pageQuery(page) })
