import type { ItemsReadItemsData } from '@/client/types.gen'
import { readDialog } from '@/lib/dialog-search'
import { type ParametersOf, readList, sortBy, toId, toText } from '@/lib/list-search'

// The URL of the items page. Without code of the client, as the head script uses it.

export const itemList = readList<ParametersOf<ItemsReadItemsData>>({
  q: toText,
  owner_id: toId,
  sort: sortBy('created_at', 'title'),
})

const readItemDialog = readDialog(['add', 'delete_selected'], ['edit', 'delete'])

export type ItemDialog = NonNullable<ReturnType<typeof readItemDialog>['dialog']>

export const readItemsSearch = (search: Record<string, unknown>) => ({
  ...itemList.toSearch(search),
  ...readItemDialog(search),
})
