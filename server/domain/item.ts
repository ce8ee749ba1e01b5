/** Times are milliseconds since 1970. */
export type { Item, ItemChanges } from '../store/items.ts'
