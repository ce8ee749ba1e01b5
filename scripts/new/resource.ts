import { readFileSync } from 'node:fs'
import { addToContract } from './contract.ts'
import { columnText } from './field.ts'
import { type Field, object, quoted, rowType } from './fields.ts'
import { writeMigration } from './migration.ts'
import { type Names, rename } from './names.ts'
import { addCellImports, addColumns, addFormImports, nullableOf, numbersOf, schemaOf, setFields } from './places.ts'
import { Source } from './source.ts'

export interface Resource extends Names {
  fields: readonly [Field, ...Field[]]
}

type Edit = (source: Source, resource: Resource) => Source

const searched = (fields: readonly Field[]): string[] =>
  fields.filter(({ kind }) => kind.isSearched).map(({ name }) => name)

const unchanged: Edit = (source) => source

/** The files of items that are copied for a resource, with edits beside those of places.ts. */
const copies: Record<string, Edit> = {
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
  'scripts/seed/items.ts': (source, given) =>
    setFields(
      source.setBody('demoItem', `{ const row = beginRow('item', index, owners, now)\nreturn { ...row } }`),
      given,
    ),
  'server/items/sample.ts': unchanged,
  'server/items/items.test.ts': unchanged,
  'src/features/items/dialogs/add-item-dialog.tsx': (source, { fields }) =>
    source.set('Title is required.', `${fields[0].label} is required.`),
  'src/features/items/dialogs/edit-item-dialog.tsx': (source, { fields }) =>
    source
      .set('Title is required', `${fields[0].label} is required`)
      .set('initialField="title"', `initialField="${fields[0].name}"`),
  'src/features/items/dialogs/delete-items-dialog.tsx': unchanged,
  'src/features/items/dialogs/item-dialogs.tsx': (source, { fields }) =>
    source.set('item.title', `item.${fields[0].name}`),
  'src/features/items/items-queries.ts': unchanged,
  'src/features/items/items-search.ts': (source, { fields }) => source.set("'title'", `'${fields[0].name}'`),
  'src/features/items/dialogs/item-form.tsx': (source, { fields }) => {
    const options = Object.entries({ nullable: nullableOf(fields), numbers: numbersOf(fields) })
    const given = options.flatMap(([option, names]) => (names.length > 0 ? [`${option}: ${quoted(names)}`] : []))
    source
      .setBody('toItemBody', `{ return toBody(values, { ${given.join(', ')} }) }`)
      .setImports('@/client/schemas.gen', fields.filter(({ kind }) => kind.bounds).map(schemaOf))
      .setImports('@/lib/validation/rules', [])
    return addFormImports(source, fields)
  },
  'src/features/items/items-page.tsx': (source, { fields, noun, plural }) => {
    source
      .setValue('nameOf', `({ ${fields[0].name} }: ItemPublic) => ${fields[0].name}`)
      .setImports('@/components/list/data-table', ['type Column'])
    addCellImports(source, fields)
    return plural === `${noun}s` ? source : source.set("noun: 'item' }", "noun: 'item', plural: 'items' }")
  },
  'src/routes/_layout/items.tsx': unchanged,
  'src/routes/_layout/items.test.tsx': (source, { fields }) =>
    source.set("{ title: 'Old' }", object([[fields[0].name, 'Old']])),
  'tests/support/items.ts': (source, { fields }) => source.setValue('sorts', quoted(['created_at', fields[0].name])),
  'tests/e2e/items.spec.ts': unchanged,
}

/** The files that list all resources, with the places of items. These are copied under the new names. */
const registrations: Record<string, string[]> = {
  'server/resources.ts': ['./items/queries.ts', 'itemsTable'],
  'server/routes.ts': ['./items/routes.ts', 'itemRoutes(context,lists)'],
  'scripts/seed/demo-rows.ts': ['./items.ts', 'items'],
  'server/test/samples.ts': ['../items/sample.ts', 'itemSample'],
  'src/html/screens.ts': ['../features/items/items-search', '/items'],
  'src/data/resources.ts': ['itemsReadItems', 'items'],
  'src/features/shell/navigation.ts': ['/items'],
  'tests/support/states.ts': ["resourceStates('items','Item')"],
}

/** Registrations that change more than the names. */
const edits: Record<string, Edit> = {
  'server/tables.ts': (source, { fields, ...given }) => {
    const forms = fields.filter(({ kind }) => kind.isSearched).map((field) => `${field.name}_search: ${rowType(field)}`)
    const table = `\n\ninterface ItemsTable {
  id: string
  owner_id: string
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  ${forms.join('\n')}
}`
    const change = (text: string) => rename(text, given)
    source.copy('items', change).copy('ItemsTable', () => change(table))
    return addColumns(source, change('ItemsTable'), fields, 'owner_id')
  },
  'tests/support/backend.ts': (source, given) => {
    const change = (text: string) => rename(text, given)
    return source
      .copy('ItemPublic', change)
      .copy('./items', () => change("\nimport { itemDouble } from './items'"))
      .copy('items', change)
      .copy('resourceHandlers(`${api}/items`,this,()=>this.items,itemDouble)', change)
  },
}

const read = (path: string): Source => new Source(path, readFileSync(path, 'utf8'))

/** The contents of all files to write, by path. @throws Error if an edit does not find its place */
export function writeResource(resource: Resource): { created: Map<string, string>; edited: Map<string, string> } {
  const { fields, plural } = resource
  const change = (text: string) => rename(text, resource)
  const given = { ...resource, first: fields[0] }
  const created = new Map(
    Object.entries(copies).map(([path, edit]) => {
      const source = read(path)
      if (path !== 'scripts/seed/items.ts') setFields(source, given)
      return [change(path), change(String(edit(source, resource)))]
    }),
  )
  created.set(
    ...writeMigration(plural, {
      imports: ['addResourceTable'],
      body: `await addResourceTable(db, {
    table: '${plural}',
    columns: [${fields.map(columnText).join(', ')}],
    searched: ${quoted(searched(fields))},
  })`,
    }),
  )
  const edited = new Map([
    ['openapi.json', addToContract(readFileSync('openapi.json', 'utf8'), resource, fields)],
    ...Object.entries(registrations).map(([path, listed]): [string, string] => [
      path,
      String(listed.reduce((source, place) => source.copy(place, change), read(path))),
    ]),
    ...Object.entries(edits).map(([path, edit]): [string, string] => [path, String(edit(read(path), resource))]),
  ])
  return { created, edited }
}
