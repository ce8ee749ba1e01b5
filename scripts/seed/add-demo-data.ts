import { Readable } from 'node:stream'
import { newPassword } from '../../server/operator/rules.ts'
import { demoContent, demoPosition, demoUser, rememberLinkable } from './demo-data.ts'
import { attachFile, completeFile, type FileFacts, insertFile } from '../../server/files/queries.ts'
import type { ResourceRow } from '../../server/resource/queries.ts'
import type { Context } from '../../server/platform/context.ts'
import type { Tx } from '../../server/platform/database/store.ts'
import { emailKey } from '../../server/platform/lib/email-address.ts'
import { resources } from '../../server/resources.ts'
import type { ResourceTable } from '../../server/tables.ts'
import type { Progress } from './progress.ts'
import { BULK_ROWS, insertResourceRows, insertUsers, readLinkable } from './bulk.ts'
import { demoRows, linkedFirst } from './demo-rows.ts'

/** Large, because each transaction adds a segment to the search index, and many segments need many merges. */
const TRANSACTION_ROWS = 20_000

export interface DemoSize {
  users: number
  rows: Record<ResourceTable, number>
  owners?: number | undefined
}

const resourceOf = (table: string) => resources.find((one) => one.table === table) as (typeof resources)[number]
const linkedBy = (table: ResourceTable) => Object.values(resourceOf(table).links).map(({ to }) => to)

/** Adds the demo accounts and rows that do not exist yet. @returns what was added, and examples of addresses */
export async function addDemoData(context: Context, { users, rows, owners = users }: DemoSize, progress: Progress) {
  const { store, hashing, now } = context
  const at = now()
  const password = newPassword()
  // All users share a password, because a million hashes would take hours.
  const hash = await hashing.hash(password, 'server')

  /** Inserts the oldest rows first, approximately, as in production. */
  async function addInBatches<Row>(
    what: string,
    of: number,
    make: (index: number) => Row | undefined,
    insert: (tx: Tx, rows: Row[]) => Promise<number>,
  ): Promise<number> {
    const positions = Float64Array.from({ length: of }, (_, index) => demoPosition(index))
    const order = Uint32Array.from(positions.keys()).toSorted((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
    let added = 0
    for (let from = 0; from < of; from += TRANSACTION_ROWS) {
      const until = Math.min(from + TRANSACTION_ROWS, of)
      await store.transaction(
        async (tx) => {
          for (let next = from; next < until; next += BULK_ROWS) {
            const made = Array.from(order.subarray(next, Math.min(next + BULK_ROWS, until)), make)
            added += await insert(
              tx,
              made.filter((row) => row !== undefined),
            )
          }
        },
        { isLong: true },
      )
      progress(what, until, of)
    }
    return added
  }

  const toUser = (index: number) => {
    const user = demoUser(index, hash, at)
    return { ...user, email_key: emailKey(user.email) }
  }
  const addedUsers = await addInBatches('users', users, toUser, insertUsers)
  const tables = resources.map(({ table }) => table)
  const added = new Map(tables.map((table) => [table, 0]))
  for (const table of linkedFirst(tables, linkedBy)) {
    const resource = resourceOf(table)
    for (const to of linkedBy(table)) rememberLinkable(to, await readLinkable(store.db, to))
    const make = (index: number) => demoRows[table]?.(index, owners, at)
    const insert = async (tx: Tx, made: ResourceRow[]) => {
      const inserted = await insertResourceRows(tx, resource, made)
      await addFiles(context, tx, resource, inserted)
      return inserted.length
    }
    added.set(table, await addInBatches(table, rows[table], make, insert))
  }
  const first = Array.from({ length: Math.min(users, 5) }, (_, index) => demoUser(index, hash, at))
  const examples = first.filter((user) => user.is_active && user.password_hash !== null).map(({ email }) => email)
  return { addedUsers, added, password, examples: examples.slice(0, 2) }
}

async function addFiles(
  { files }: Context,
  tx: Tx,
  { table, files: fields }: ReturnType<typeof resourceOf>,
  rows: readonly ResourceRow[],
): Promise<void> {
  for (const { id: rowId, owner_id, created_at, ...row } of rows)
    for (const field of fields) {
      const file = (row as Record<string, unknown>)[field] as FileFacts | null
      if (file === null) continue
      const { id, name, type, size } = file
      await insertFile(tx, { id, name, size, owner_id, created_at, expires_at: created_at + 1 })
      // A deleted database may have left this file.
      await files.delete(id)
      await files.put(id, Readable.from([Buffer.from(demoContent(file))]), size)
      await completeFile(tx, id, type)
      await attachFile(tx, { id, ownerId: owner_id, until: created_at }, { resource: table, rowId })
    }
}
