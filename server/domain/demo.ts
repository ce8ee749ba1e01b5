import { BULK_ROWS, insertItems, insertUsers } from '../store/bulk.ts'
import type { Store, Tx } from '../store/store.ts'
import { demoItem, demoTime, demoUser } from './demo-data.ts'
import { newPassword } from './operator.ts'
import type { Passwords } from './passwords.ts'

/** How much there is to be. */
export interface DemoSize {
  users: number
  items: number
  /** How many of the users share the items; all when it is absent. */
  owners?: number | undefined
}

/** Told of every batch: how many of how many are looked after. */
export type Progress = (what: 'users' | 'items', done: number, of: number) => void

/** Accounts and items to look at. What is there already stays as it is, and nothing is deleted. */
export function createDemo(options: { store: Store; passwords: Passwords }) {
  const { store, passwords } = options

  /** Oldest first, as rows come in earnest. */
  async function addInBatches<Row>(
    what: 'users' | 'items',
    of: number,
    make: (index: number) => Row,
    insert: (tx: Tx, rows: Row[]) => Promise<number>,
    progress: Progress,
  ): Promise<number> {
    const times = Float64Array.from({ length: of }, (_, index) => demoTime(what, index))
    const order = Uint32Array.from(times.keys()).toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
    let added = 0
    for (let from = 0; from < of; from += BULK_ROWS) {
      const rows = Array.from(order.subarray(from, from + BULK_ROWS), make)
      added += await store.transaction((tx) => insert(tx, rows))
      progress(what, Math.min(from + BULK_ROWS, of), of)
    }
    return added
  }

  return {
    /**
     * Makes sure that the first so many demo accounts and items are there.
     * @returns how many were not, and what the added accounts log in with
     */
    async add({ users, items, owners = users }: DemoSize, progress: Progress) {
      const password = newPassword()
      // One password for all, hashed once: a million hashes would take hours.
      const hash = await passwords.hash(password, 'server')
      const addedUsers = await addInBatches('users', users, (index) => demoUser(index, hash), insertUsers, progress)
      const addedItems = await addInBatches('items', items, (index) => demoItem(index, owners), insertItems, progress)
      const first = Array.from({ length: Math.min(users, 5) }, (_, index) => demoUser(index, hash))
      const examples = first.filter((user) => user.is_active).map(({ email }) => email)
      return { addedUsers, addedItems, password, examples: examples.slice(0, 2) }
    },
  }
}
