import { readFileSync } from 'node:fs'
import { raiseBudgets } from './budgets.ts'
import { addToContract } from './contract.ts'
import { columnText } from './field.ts'
import { type Field, object, quoted, rowType } from './fields.ts'
import { addFilters } from './filters.ts'
import { writeMigration } from './migration.ts'
import { addLinkEdits, addToLinks, demoGuards } from './links.ts'
import { type Names, rename, unprotect } from './names.ts'
import {
  addCellImports,
  addColumns,
  addFormImports,
  addTextImports,
  bodyOptions,
  boundsOf,
  setFields,
} from './places.ts'
import { Source } from './source.ts'
import type { ListKind } from './syntax.ts'
import { readTemplate } from './template.ts'

export interface Resource extends Names {
  fields: readonly [Field, ...Field[]]
}

type Edit = (source: Source, resource: Resource) => Source

const searched = (fields: readonly Field[]): string[] =>
  fields.filter(({ kind }) => kind.isSearched).map(({ name }) => name)

const unchanged: Edit = (source) => source

/** The files of items that are copied for a resource, with edits beside those of places.ts. */
export const copies: Record<string, Edit> = {
  'server/items/queries.ts': (source, { fields: [{ name }] }) =>
    source
      .setType('ItemSort', `'created_at' | '${name}'`)
      .setValue(
        'itemsTable.sorts',
        `{ created_at: { column: 'created_at' }, ${name}: { column: '${name}_search', isText: true } }`,
      ),
  'server/items/rules.ts': unchanged,
  'server/items/routes.ts': unchanged,
  // The fields of items come from statements before the result.
  'scripts/seed/items.ts': (source, given) => {
    const guards = demoGuards(given.fields)
    if (guards !== '') source.set('): Item {', '): Item | undefined {')
    return setFields(
      source.setBody('demoItem', `{ const row = beginRow('item', index, owners, now)\n${guards}return { ...row } }`),
      given,
    )
  },
  'server/items/sample.ts': unchanged,
  'server/items/items.test.ts': unchanged,
  'src/features/items/items-list.ts': (source, { fields: [{ name }] }) =>
    source.setValue('itemsList.name', `'${name}'`).setValue('itemsList.sorts', quoted([name])),
  'src/features/items/item-dialogs.tsx': (source, { fields }) => {
    const [{ name, label }] = fields
    const given = bodyOptions(fields).map(([option, names]) => `${option}: ${quoted(names)}`)
    source
      .set("'Title is required.'", `'${label} is required.'`)
      .set("'Title is required'", `'${label} is required'`)
      .set("      always: ['title', 'description'],\n", '')
      .set('initialField="title"', `initialField="${name}"`)
      .set('subject={item.title}', `subject={item.${name}}`)
      .setBody('toItemBody', `{ return toBody(values, { ${given.join(', ')} }) }`)
      .setImports('@/client/schemas.gen', ['ItemsBulkSchema', ...boundsOf(fields)])
      .setImports('@/lib/validation/rules', [])
    return addFormImports(source, fields)
  },
  'src/features/items/items-page.tsx': (source, { fields }) =>
    addCellImports(source.setImports('@/components/ui/missing', []), fields),
  'src/routes/_layout/items.tsx': unchanged,
  'tests/screens/items/items.test.tsx': (source, { fields }) =>
    source.set("{ title: 'Old' }", object([[fields[0].name, 'Old']])),
  'tests/support/items.ts': (source, { fields }) =>
    addTextImports(source.setValue('sorts', quoted(['created_at', fields[0].name])), fields),
  'tests/e2e/items.spec.ts': unchanged,
}

interface Entry {
  in: string
  list: ListKind
  text: string
  /** The name of the entry before it, if it is not the last one. */
  after?: string
}

const itemsScreen = `'/items': {
  access: 'member',
  title: 'Items',
  isEmptyAtFirst: true,
  reads: '/api/v1/items/',
  isList: true,
}`

/** The files that list all resources, with what each imports and contains for items. */
export const registrations: Record<string, { imports: Record<string, string[]>; entries: Entry[] }> = {
  'server/resources.ts': {
    imports: { './items/queries.ts': ['itemsTable'] },
    entries: [{ in: 'resources', list: 'elements', text: 'itemsTable' }],
  },
  'server/routes.ts': {
    imports: { './items/routes.ts': ['itemRoutes'] },
    entries: [{ in: 'createRoutes', list: 'properties', text: '...itemRoutes(context, sendCsv)' }],
  },
  'scripts/seed/demo-rows.ts': {
    imports: { './items.ts': ['demoItem'] },
    entries: [{ in: 'demoRows', list: 'properties', text: 'items: demoItem' }],
  },
  'server/test/samples.ts': {
    imports: { '../items/sample.ts': ['itemSample'] },
    entries: [{ in: 'samples', list: 'elements', text: 'itemSample' }],
  },
  'src/lib/screens.ts': {
    imports: {},
    entries: [{ in: 'screens', list: 'properties', text: itemsScreen, after: '/' }],
  },
  'src/data/resources.ts': {
    imports: { '@/client/sdk.gen': ['itemsReadItem', 'itemsReadItems'] },
    entries: [
      {
        in: 'listed',
        list: 'elements',
        text: `{ tag: 'items', title: 'Items', noun: 'item', to: '/items', read: itemsReadItems, readOne: itemsReadItem }`,
      },
    ],
  },
  'src/features/shell/navigation.ts': {
    imports: { 'lucide-react': ['NotebookText'] },
    entries: [{ in: 'everyone', list: 'elements', text: `{ title: 'Items', url: '/items', icon: NotebookText }` }],
  },
  'tests/support/states.ts': {
    imports: {},
    entries: [{ in: 'resources', list: 'elements', text: `['items', 'Item']` }],
  },
  'server/tables.ts': {
    imports: {},
    entries: [{ in: 'ResourceTables', list: 'members', text: 'items: ItemsTable' }],
  },
  'tests/support/list-screens.ts': {
    imports: { './items.ts': ['itemScreen', 'makeItem'] },
    entries: [{ in: 'listScreens', list: 'properties', text: 'items: { screen: itemScreen, make: makeItem }' }],
  },
  'tests/support/backend.ts': {
    imports: {
      '@/client/types.gen': ['type ItemPublic'],
      './items': ['itemDouble'],
      './resource-handlers': ['resourceHandlers'],
    },
    entries: [
      {
        in: 'handlers',
        list: 'elements',
        text: '...resourceHandlers(`${api}/items`, this, () => this.items, itemDouble)',
      },
    ],
  },
}

/** Registrations that need more. */
const edits: Record<string, Edit> = {
  'server/tables.ts': (source, { fields, ...given }) => {
    const forms = fields.filter(({ kind }) => kind.isSearched).map((field) => `${field.name}_search: ${rowType(field)}`)
    const table = `interface ItemsTable {
  id: string
  owner_id: string
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  ${forms.join('\n')}
}

`
    const next = '/** What belongs to accounts. */'
    source.set(next, `${rename(table, given)}${next}`)
    return addColumns(source, rename('ItemsTable', given), fields, 'owner_id')
  },
  'tests/support/backend.ts': (source, given) => {
    const users = '  users: UserPublic[] = []\n'
    return source.set(users, `${users}${rename('  items: ItemPublic[] = []\n', given)}`)
  },
}

/** Adds a resource to a list of all. */
function register(path: string, resource: Resource): string {
  const change = (text: string) => rename(text, resource)
  const source = new Source(path, readFileSync(path, 'utf8'))
  const { imports = {}, entries = [] } = registrations[path] ?? {}
  for (const [module, names] of Object.entries(imports)) source.addImports(change(module), names.map(change))
  for (const entry of entries) source.addTo(entry.in, entry.list, [change(entry.text)], entry.after)
  return String(edits[path]?.(source, resource) ?? source)
}

/** The contents of all files to write, by path. @throws Error if an edit does not find its place */
export function writeResource(resource: Resource): { created: Map<string, string>; edited: Map<string, string> } {
  const { fields, plural } = resource
  const change = (text: string) => rename(text, resource)
  const given = { ...resource, first: fields[0] }
  const created = new Map(
    Object.entries(copies).map(([path, edit]) => {
      const source = new Source(path, readTemplate(path))
      if (path !== 'scripts/seed/items.ts') setFields(source, given)
      const filtered = addFilters(edit(source, resource), path, fields)
      return [change(path), unprotect(change(String(addLinkEdits(filtered, path, given))))]
    }),
  )
  created.set(
    ...writeMigration(plural, {
      imports: ['addResourceTable'],
      body: `await addResourceTable(db, {
    table: '${plural}',
    columns: [${fields.map((field) => columnText(field, resource, true)).join(', ')}],
    searched: ${quoted(searched(fields))},
  })`,
    }),
  )
  const edited = new Map([
    [
      'openapi.json',
      unprotect(addToContract(readFileSync('openapi.json', 'utf8'), resource, fields, readTemplate('openapi.json'))),
    ],
    ...Object.keys(registrations).map((path): [string, string] => [path, unprotect(register(path, resource))]),
    ...addToLinks(plural, fields).map((source): [string, string] => [source.path, unprotect(String(source))]),
    raiseBudgets(plural, fields, { isNew: true }),
  ])
  return { created, edited }
}
