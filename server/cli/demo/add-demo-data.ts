import { BULK_ROWS, insertItems, insertUsers } from '../../store/bulk.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Progress } from '../terminal.ts'
import { emailKey } from '../../lib/email-address.ts'
import { demoItem, demoTime, demoUser } from './demo-data.ts'
import { newPassword } from '../../domain/operator.ts'
import type { Passwords } from '../../domain/passwords.ts'

/** Each transaction adds a segment to the search index; fewer and larger ones are merged less often. */
const TRANSACTION_ROWS = 20_000

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
    for (let from = 0; from < of; from += TRANSACTION_ROWS) {
      const until = Math.min(from + TRANSACTION_ROWS, of)
      await store.transaction(async (tx) => {
        for (let next = from; next < until; next += BULK_ROWS) {
          added += await insert(tx, Array.from(order.subarray(next, Math.min(next + BULK_ROWS, until)), make))
        }
      })
      progress(what, until, of)
    }
    return added
  }

  const toUser = (index: number) => {
    const user = demoUser(index, hash)
    return { ...user, email_key: emailKey(user.email) }
  }
  const addedUsers = await addInBatches('users', users, toUser, insertUsers)
  const addedItems = await addInBatches('items', items, (index) => demoItem(index, owners), insertItems)
  const first = Array.from({ length: Math.min(users, 5) }, (_, index) => demoUser(index, hash))
  const examples = first.filter((user) => user.is_active && user.password_hash !== '').map(({ email }) => email)
  return { addedUsers, addedItems, password, examples: examples.slice(0, 2) }
}
