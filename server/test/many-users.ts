import { BULK_ROWS, insertUsers } from '../../scripts/seed/bulk.ts'
import type { NewUser } from '../users/queries.ts'
import type { TestApp } from './build-test-app.ts'

/** Ids that sort like their numbers. */
export const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

export async function addInBatches<Row>(
  count: number,
  make: (index: number) => Row,
  insert: (rows: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += BULK_ROWS)
    await insert(Array.from({ length: Math.min(BULK_ROWS, count - from) }, (_, offset) => make(from + offset)))
}

/** Addresses are `many0@example.com` and so on. */
export async function addUsers(
  { store }: Pick<TestApp, 'store'>,
  count: number,
  factsOf: (index: number) => Partial<NewUser> = () => ({}),
): Promise<void> {
  const common = { full_name: null, password_hash: 'x', is_active: true, is_superuser: false, created_at: 0 }
  const make = (index: number): NewUser => {
    const email = `many${index}@example.com`
    return { ...common, id: idOf(index), email, email_key: email, ...factsOf(index) }
  }
  await addInBatches(count, make, (rows) => store.transaction((tx) => insertUsers(tx, rows)))
}
