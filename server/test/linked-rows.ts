import { randomUUID } from 'node:crypto'
import { nameFieldOf } from '../links/link.ts'
import type { Store } from '../platform/database/store.ts'
import { resources } from '../resources.ts'
import { samples } from '../../tests/support/samples.ts'

/** Samples link to rows with these ids. Requests replace them by ids of real rows, and responses the other way round. */
const placeholders = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

const resourceOf = (table: string | undefined) => resources.find((one) => one.table === table)

export function createLinkedRows(store: Store) {
  const ids = new Map<string, string>()

  /** Inserts a row if there is none yet. It does so without a request, because the audit log would record that. */
  async function idOf(table: string, ownerId: string, place: number): Promise<string> {
    const key = `${table} ${ownerId} ${place}`
    const known = ids.get(key)
    const resource = resourceOf(table)
    if (known !== undefined || !resource) return known ?? ''
    const { links, searched } = resource
    const row = new Map(Object.entries(samples.find((one) => one.table === table)?.leastStored ?? {}))
    row
      .set('id', randomUUID())
      .set('owner_id', ownerId)
      .set('created_at', 0)
      .set(searched[0], `Linked ${place + 1}`)
    for (const [field, { to }] of Object.entries(links)) {
      row.delete(nameFieldOf(field))
      if (typeof row.get(field) === 'string') row.set(field, await idOf(to, ownerId, 0))
    }
    await store.transaction((tx) => resource.insertMany(tx, [Object.fromEntries(row) as never]))
    ids.set(key, row.get('id') as string)
    return row.get('id') as string
  }

  return {
    async fill(url: string, text: string, ownerId: string): Promise<string> {
      const [, table] = /^(?:\/api\/v1)?\/(\w+)\//.exec(url) ?? []
      let filled = text
      for (const [field, { to }] of Object.entries(resourceOf(table)?.links ?? {}))
        for (const [place, id] of placeholders.entries())
          for (const given of [`"${field}":"${id}"`, `${field}=${id}`])
            if (filled.includes(given))
              filled = filled.replaceAll(given, given.replace(id, await idOf(to, ownerId, place)))
      return filled
    },

    clean(text: string): string {
      let cleaned = text
      for (const [key, id] of ids) cleaned = cleaned.replaceAll(id, placeholders[Number(key.at(-1))] ?? id)
      return cleaned
    },
  }
}
