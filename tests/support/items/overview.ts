import type { Overview } from '@/client/types.gen'
import { type Host, visibleRows, withVersion } from '../resource-handlers'
import { itemsIn } from './rows'

type Data = Pick<Host, 'user' | 'isPrivate' | 'editedAt' | 'hasVersions' | 'rowsOf'>

export function overviewOfItems(data: Data): Overview['items'] {
  const items = visibleRows(data, itemsIn(data))
  const edits = items.map((item) => ({
    item: withVersion(data, item),
    at: data.editedAt.get(item) ?? item.created_at,
  }))
  const recently_edited = edits.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, 5)
  return { count: items.length, recently_edited }
}
