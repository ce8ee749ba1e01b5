import { randomUUID } from 'node:crypto'
import type { Links } from '../links/link.ts'
import type { Store } from '../platform/database/store.ts'
import { createResourceTable, type ResourceRow } from '../resource/queries.ts'
import { addColumns, addResourceTable } from '../resource/table.ts'

// Resources that link to each other and to themselves. A test adds them to the list in server/resources.ts.

interface Linked extends ResourceRow {
  name: string
  [link: string]: unknown
}

function tableOf(table: string, links: Links) {
  const linking = Object.entries(links).map(([field, link]) => [field, { link }] as const)
  return createResourceTable<Linked, 'created_at'>({
    // The type only has tables of the product.
    table: table as never,
    fields: { name: { isSearched: true }, ...Object.fromEntries(linking) },
    filters: {},
  })
}

const linkTo = (to: string, onDelete: Links[string]['onDelete']) => ({ to: to as never, onDelete })

/** An author may have a favourite book, and each book has an author, which is a cycle. Sequels form chains. */
export const authorsTable = tableOf('authors', { favourite_id: linkTo('books', 'clear') })
export const booksTable = tableOf('books', {
  author_id: linkTo('authors', 'delete'),
  sequel_of_id: linkTo('books', 'delete'),
})

export async function addLinkedTables({ db }: Store): Promise<void> {
  const name = { name: 'name', type: 'text' } as const
  const searched = ['name'] as const
  await db.transaction().execute(async (tx) => {
    const link = { type: 'link', isFiltered: true } as const
    await addResourceTable(tx as never, { table: 'authors', columns: [name], searched })
    const columns = [
      name,
      { name: 'author_id', ...link, to: 'authors' },
      { name: 'sequel_of_id', ...link, isNullable: true, to: 'books' },
    ]
    await addResourceTable(tx as never, { table: 'books', columns, searched })
    await addColumns(tx as never, 'authors', [{ name: 'favourite_id', ...link, isNullable: true, to: 'books' }])
  })
}

export async function addAuthor(store: Store, owner_id: string, favourite_id: string | null = null): Promise<string> {
  const id = randomUUID()
  const row = { id, owner_id, created_at: 0, name: 'An author', favourite_id }
  await store.transaction((tx) => authorsTable.insertMany(tx, [row]))
  return id
}

/** @param sequelOf chooses one of the ids for each book, or none */
export async function addBooks(
  store: Store,
  owner_id: string,
  author_id: string,
  count: number,
  sequelOf: (ids: readonly string[], index: number) => string | null = () => null,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  const common = { owner_id, created_at: 0, author_id }
  const rows = ids.map((id, index) => ({ ...common, id, name: `Book ${index}`, sequel_of_id: sequelOf(ids, index) }))
  for (let from = 0; from < count; from += 500)
    await store.transaction((tx) => booksTable.insertMany(tx, rows.slice(from, from + 500)))
  return ids
}

export const chained = (ids: readonly string[], index: number): string | null => ids[index - 1] ?? null

export const starred = (ids: readonly string[], index: number): string | null =>
  (index === 0 ? undefined : ids[0]) ?? null
