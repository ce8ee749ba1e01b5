import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import { itemsReadItem } from '@/client/sdk.gen'
import { resourceOptions } from '@/lib/api/resource'
import { type ListSearch, toListQuery } from '@/lib/list-search'

// Apart from the page, so that a route can ask for the rows while the page's code loads.

export const itemsQuery = (search: ListSearch) => itemsReadItemsOptions({ query: toListQuery(search) })

export const itemResource = (id: string) =>
  resourceOptions('item', id, (signal) => itemsReadItem({ path: { id }, signal, throwOnError: true }))
