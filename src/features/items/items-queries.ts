import { itemsReadItemsOptions } from '@/client/@tanstack/react-query.gen'
import { itemsReadItem } from '@/client/sdk.gen'
import type { ItemsReadItemsData } from '@/client/types.gen'
import { resourceOptions } from '@/data/api/resource'
import { hintedStaleTime } from '@/data/live/stale-time'

export type ItemsQuery = NonNullable<ItemsReadItemsData['query']>

// Separate from the page, so that a route can request rows while the page's code loads.

export const itemsQuery = (query: ItemsQuery, priority: RequestPriority = 'auto') => ({
  ...itemsReadItemsOptions({ query, priority }),
  staleTime: hintedStaleTime(),
})

export const itemResource = (id: string) =>
  resourceOptions('items', id, (signal) => itemsReadItem({ path: { id }, signal }))
