import type { Overview } from '../contract/index.ts'
import type { Context } from '../platform/context.ts'
import { toPublic } from '../platform/to-public.ts'
import type { AccountActor } from '../users/access.ts'
import { items } from './rules.ts'

const EDITED_ITEMS = 5

/** Reads what the dashboard shows of items. */
export async function readItemsOverview(context: Context, actor: AccountActor): Promise<Overview['items']> {
  const { count } = await items.list(context, actor, {}, { skip: 0, limit: 0 })
  const edited = await items.readRecentlyEdited(context, actor, EDITED_ITEMS)
  return {
    count,
    recently_edited: edited.map(({ row, at }) => ({ item: toPublic(row), at: new Date(at).toISOString() })),
  }
}
