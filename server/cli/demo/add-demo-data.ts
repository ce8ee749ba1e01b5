import { BULK_ROWS, insertItems, insertUsers } from '../../store/bulk.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Progress } from '../terminal.ts'
import { demoItem, demoTime, demoUser } from './demo-data.ts'
import { newPassword } from '../../domain/operator.ts'
import type { Passwords } from '../../domain/passwords.ts'

/** How much there is to be. */
export interface DemoSize {
  users: number
  items: number
  /** How many of the users share the items; all when it is absent. */
  owners?: number | undefined
}

/**
 * Makes sure that the first so many demo accounts and items are there. Rows that are there stay as they are.
 * @returns how many were added, and the password of the added accounts
 */
export async function addDemoData(
  { store, passwords }: { store: Store; passwords: Passwords },
  { users, items, owners = users }: DemoSize,
  progress: Progress,
) {
  const password = newPassword()
  // One password for all, hashed once: a million hashes would take hours.
  const hash = await passwords.hash(password, 'server')

  /** Oldest first, as rows come in earnest. */
  async function addInBatches<Row>(
    what: 'users' | 'items',
    of: number,
    make: (index: number) => Row,
    insert: (tx: Tx, rows: Row[]) => Promise<number>,
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

  const addedUsers = await addInBatches('users', users, (index) => demoUser(index, hash), insertUsers)
  const addedItems = await addInBatches('items', items, (index) => demoItem(index, owners), insertItems)
  const first = Array.from({ length: Math.min(users, 5) }, (_, index) => demoUser(index, hash))
  const examples = first.filter((user) => user.is_active && user.password_hash !== '').map(({ email }) => email)
  return { addedUsers, addedItems, password, examples: examples.slice(0, 2) }
}
