import { readdirSync, readFileSync } from 'node:fs'
import { addToContract } from './contract.ts'
import { type Field, isText, samplesOf } from './fields.ts'
import { capitalize, type Names, rename } from './names.ts'
import { Source } from './source.ts'

export interface Resource extends Names {
  fields: readonly [Field, ...Field[]]
}

type Edit = (source: Source, resource: Resource) => Source

const rowTypes = { text: 'string', multiline: 'string', date: 'string', integer: 'number', boolean: 'boolean' }
const columnTypes = { text: 'text', multiline: 'text', date: 'date', integer: 'integer', boolean: 'flag' }

const lines = (fields: readonly Field[], lineOf: (field: Field) => string): string => fields.map(lineOf).join('\n')
const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`
const rowType = ({ kind, isNullable }: Field): string => `${rowTypes[kind]}${isNullable ? ' | null' : ''}`
const searched = (fields: readonly Field[]): string => quoted(fields.filter(isText).map(({ name }) => name))
const names = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ')
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
const object = (entries: (readonly [string, unknown])[]): string =>
  `{ ${entries.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')} }`

/** An object with a sample of each field. */
function sampleObject({ fields, noun }: Resource, of: 'least' | 'full', chosen = fields as readonly Field[]): string {
  return object(chosen.map((field) => [field.name, samplesOf(field, noun)[of]]))
}

const isOptional = ({ kind, isNullable }: Field) => kind === 'boolean' || isNullable

const valueOf = ({ name, kind, isNullable }: Field): string => {
  if (kind === 'integer')
    return isNullable ? `item.${name} === null ? '' : String(item.${name})` : `String(item.${name})`
  return isNullable ? `item.${name} ?? ''` : `item.${name}`
}

const inputOf = ({ name, kind, isNullable }: Field): string => {
  const common = `control={control} name="${name}" label={itemLabels.${name}}`
  if (kind === 'boolean') return `<CheckboxField ${common} />`
  const type = { text: '', multiline: ' multiline', integer: ' type="number"', date: ' type="date"' }[kind]
  return `<TextField ${common}${type}${isNullable ? '' : ' required'} />`
}

const cellOf = ({ name, kind, isNullable }: Field): string => {
  if (kind === 'boolean') return `${name} ? 'Yes' : 'No'`
  if (kind === 'integer' || kind === 'date') return isNullable ? `${name} ?? <NotAvailable />` : name
  const text = `<UserText show="two lines">{${name}}</UserText>`
  return isNullable ? `${name} ? ${text} : <NotAvailable />` : text
}

/** The files of items that are copied for a resource, with the edits that replace the fields. */
const copies: Record<string, Edit> = {
  'server/items/queries.ts': (source, { fields }) =>
    source
      .setMembers(
        'Item',
        lines(fields, (field) => `${field.name}: ${rowType(field)}`),
        { first: 1, last: 2 },
      )
      .setType('ItemSort', `'created_at' | '${fields[0].name}'`)
      .setValue(
        'fields',
        `{ ${fields.map(({ name, kind }) => `${name}: '${kind === 'boolean' ? 'flag' : 'plain'}'`).join(', ')} }`,
      )
      .setValue('searched', searched(fields))
      .setValue(
        'sorts',
        `{ created_at: { column: 'created_at' }, ${fields[0].name}: { column: '${fields[0].name}_search', isText: true } }`,
      ),

  'server/items/rules.ts': (source, { fields }) => {
    const inputs = fields.map((field) => {
      const fallback = field.kind === 'boolean' ? 'false' : 'null'
      return isOptional(field) ? `${field.name} = ${fallback}` : field.name
    })
    return source
      .setMembers(
        'ItemInput',
        lines(fields, (field) => `${field.name}${isOptional(field) ? '?' : ''}: ${rowType(field)}`),
      )
      .setValue('complete', `({ ${inputs.join(', ')} }) => ({ ${names(fields)} })`)
  },

  'server/items/routes.ts': (source) => source,

  'server/items/demo.ts': (source, { fields }) =>
    source.setBody(
      'demoItem',
      `{
        const row = beginRow('item', index, owners, now)
        const { ${[...new Set(fields.map(({ kind }) => demoSources[kind]).concat(fields.some(({ isNullable }) => isNullable) ? ['datatype'] : []))].join(', ')} } = english
        return {
          ...row,
          ${lines(fields, (field) => {
            const value = demoValues[field.kind]
            return `${field.name}: ${field.isNullable ? `datatype.boolean() ? ${value} : null` : value},`
          })}
        }
      }`,
    ),

  'server/items/sample.ts': (source, resource) => {
    const { fields, noun } = resource
    const [first] = fields
    const needed = fields.filter(({ kind, isNullable }) => kind !== 'boolean' && !isNullable)
    const samples = fields.map((field) => ({ field, ...samplesOf(field, noun) }))
    const stored = samples.map(({ field, least }) => [field.name, field.isNullable ? null : least] as const)
    const full = samples.map((one) => [one.field.name, one.field === first ? `  ${one.full}  ` : one.full] as const)
    const changes = samples.flatMap(({ field, other }) => [
      object([[field.name, other]]),
      ...(field.isNullable ? [object([[field.name, null]])] : []),
    ])
    return source
      .setValue('least', sampleObject(resource, 'least', needed))
      .setValue('leastStored', object(stored))
      .setValue('full', object(full))
      .setValue('fullStored', sampleObject(resource, 'full'))
      .setValue('changes', `[${changes.join(', ')}]`)
      .setValue('rejected', `[${samples.map(({ field, wrong }) => `['${field.name}', ${literal(wrong)}]`).join(', ')}]`)
      .setValue('searched', searched(fields))
  },

  'server/items/items.test.ts': (source) => source,

  'src/features/items/dialogs/add-item-dialog.tsx': (source, { fields }) =>
    source
      .set(
        `{ title: '', description: '' }`,
        object(fields.map(({ name, kind }) => [name, kind === 'boolean' ? false : ''])),
      )
      .set('Title is required.', `${fields[0].label} is required.`),

  'src/features/items/dialogs/edit-item-dialog.tsx': (source, { fields }) =>
    source
      .set('Title is required', `${fields[0].label} is required`)
      .set('initialField="title"', `initialField="${fields[0].name}"`),

  'src/features/items/dialogs/delete-items-dialog.tsx': (source) => source,
  'src/features/items/dialogs/item-dialogs.tsx': (source, { fields }) =>
    source.set('item.title', `item.${fields[0].name}`),
  'src/features/items/items-queries.ts': (source) => source,
  'src/features/items/items-search.ts': (source, { fields }) => source.set("'title'", `'${fields[0].name}'`),

  'src/features/items/dialogs/item-form.tsx': (source, { fields, noun }) => {
    const schema = (field: Field) => `${capitalize(noun)}${field.pascal}Schema`
    const missing = (field: Field) => (field === fields[0] ? 'missing' : `'${field.label} is required'`)
    const ruleOf = (field: Field): string => {
      const message = field.isNullable ? '' : missing(field)
      if (field.kind === 'boolean') return 'z.boolean()'
      if (field.kind === 'date') return `day(${message})`
      if (field.kind === 'integer') return `wholeNumber(${[schema(field), message].filter(Boolean).join(', ')})`
      return field.isNullable ? `optionalText(${schema(field)})` : `requiredText(${message}, ${schema(field)})`
    }
    const rules = [...new Set(fields.map((field) => /^\w+(?=\()/.exec(ruleOf(field))?.[0] ?? ''))].filter(Boolean)
    const bounds = fields.filter((field) => isText(field) || field.kind === 'integer').map(schema)
    const nullable = fields.filter(({ isNullable }) => isNullable).map(({ name }) => name)
    const numbers = fields.filter(({ kind }) => kind === 'integer').map(({ name }) => name)
    const options = [
      nullable.length > 0 && `nullable: ${quoted(nullable)}`,
      numbers.length > 0 && `numbers: ${quoted(numbers)}`,
    ]
    return source
      .set('DescriptionSchema, TitleSchema }', `${bounds.toSorted().join(', ')} }`)
      .set('optionalText, requiredText }', `${rules.toSorted().join(', ')} }`)
      .set(
        "import { TextField } from '@/components/form/text-field'",
        `${fields.some(({ kind }) => kind === 'boolean') ? "import { CheckboxField } from '@/components/form/checkbox-field'\n" : ''}import { TextField } from '@/components/form/text-field'`,
      )
      .setBody(
        'itemSchema',
        `{ return z.object({ ${fields.map((field) => `${field.name}: ${ruleOf(field)}`).join(', ')} }) }`,
      )
      .setValue('itemLabels', object(fields.map(({ name, label }) => [name, label])))
      .setBody('toItemValues', `{ return { ${fields.map((field) => `${field.name}: ${valueOf(field)}`).join(', ')} } }`)
      .setBody('toItemBody', `{ return toBody(values, { ${options.filter(Boolean).join(', ')} }) }`)
      .setBody('ItemFields', `{ return (<>\n${lines(fields, inputOf)}\n</>) }`)
  },

  'src/features/items/items-page.tsx': (source, { fields, noun, plural }) => {
    const [first, ...others] = fields
    const columns = others.map((field) => `{ header: '${field.label}', cell: ({ ${field.name} }) => ${cellOf(field)} }`)
    const title = `{ header: '${first.label}', role: 'title', sort: '${first.name}', cell: ({ ${first.name} }) => <UserText show="two lines" title={${first.name}}>{${first.name}}</UserText> }`
    source
      .setElements('columns', 1, [title, ...columns].join(', '))
      .setValue('nameOf', `({ ${first.name} }: ItemPublic) => ${first.name}`)
    if (!fields.some(({ isNullable }) => isNullable)) source.set('type Column, NotAvailable }', 'type Column }')
    return plural === `${noun}s` ? source : source.set("noun: 'item' }", "noun: 'item', plural: 'items' }")
  },

  'src/routes/_layout/items.tsx': (source) => source,
  'src/routes/_layout/items.test.tsx': (source, { fields }) =>
    source.set("{ title: 'Old' }", `{ ${fields[0].name}: 'Old' }`),

  'tests/support/items.ts': (source, resource) => {
    const { fields, noun } = resource
    const samples = fields.map((field) => ({ field, ...samplesOf(field, noun) }))
    const made = lines(
      fields,
      (field) => `${field.name}: ${literal(field.isNullable ? null : samplesOf(field, noun).least)},`,
    )
    const typed = samples.map(({ field, full }) => {
      const text = typeof full === 'number' ? String(full) : full
      return object([
        ['label', field.label],
        ['text', text],
        ['shown', full === true ? 'Yes' : String(full)],
      ])
    })
    return source
      .setBody(
        'makeItem',
        `{
          return {
            id: crypto.randomUUID(),
            ${made}
            owner_id: crypto.randomUUID(),
            created_at: '2026-01-01T00:00:00.000Z',
            ...values,
          }
        }`,
      )
      .setValue('searched', searched(fields))
      .setValue('sorts', quoted(['created_at', fields[0].name]))
      .setElements('fields', 0, typed.join(', '))
      .setValue('body', sampleObject(resource, 'full'))
  },

  'tests/e2e/items.spec.ts': (source) => source,
}

const demoSources = { text: 'commerce', multiline: 'company', integer: 'number', boolean: 'datatype', date: 'date' }
const demoValues = {
  text: 'commerce.productName()',
  multiline: 'company.catchPhrase()',
  integer: 'number.int({ min: 1, max: 100 })',
  boolean: 'datatype.boolean()',
  date: 'date.soon({ days: 90, refDate: row.created_at }).toISOString().slice(0, 10)',
}

/** The files that list all resources, with the places of items. These are copied under the new names. */
const registrations: Record<string, string[]> = {
  'server/resources.ts': ['./items/queries.ts', 'itemsTable'],
  'server/routes.ts': ['./items/routes.ts', 'itemRoutes(context,lists)'],
  'server/cli/demo/demo-rows.ts': ['../../items/demo.ts', 'items'],
  'server/test/samples.ts': ['../items/sample.ts', 'itemSample'],
  'src/html/screens.ts': ['../features/items/items-search', '/items'],
  'src/lib/resources.ts': ['itemsReadItems', 'items'],
  'src/features/shell/navigation.ts': ['/items'],
  'tests/support/states.ts': ["resourceStates('items','Item')"],
}

/** Registrations that change more than the names. */
const edits: Record<string, Edit> = {
  'server/tables.ts': (source, { fields, ...given }) => {
    const columns = lines(fields, (field) => `${field.name}: ${field.kind === 'boolean' ? 'Flag' : rowType(field)}`)
    const forms = lines(fields.filter(isText), (field) => `${field.name}_search: ${rowType(field)}`)
    const table = `\n\ninterface ItemsTable {
  id: string
  owner_id: string
  ${columns}
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  ${forms}
}`
    const change = (text: string) => rename(text, given)
    return source
      .copy('items', change)
      .copy('item_counts', change)
      .copy('ItemsTable', () => change(table))
  },
  'tests/support/backend.ts': (source, given) => {
    const change = (text: string) => rename(text, given)
    return source
      .copy('ItemPublic', change)
      .copy('./items', () => change("\nimport { itemDouble } from './items'"))
      .copy('items', change)
      .copy('ownedHandlers(`${api}/items`,this,()=>this.items,itemDouble)', change)
  },
}

const read = (path: string): Source => new Source(path, readFileSync(path, 'utf8'))

/** The contents of all files to write, by path. @throws Error if an edit does not find its place */
export function writeResource(resource: Resource): { created: Map<string, string>; edited: Map<string, string> } {
  const change = (text: string) => rename(text, resource)
  const created = new Map(
    Object.entries(copies).map(([path, edit]) => [change(path), change(String(edit(read(path), resource)))]),
  )
  created.set(...writeMigration(resource))
  const edited = new Map([
    ['openapi.json', addToContract(readFileSync('openapi.json', 'utf8'), resource, resource.fields)],
    ...Object.entries(registrations).map(([path, places]): [string, string] => [
      path,
      String(places.reduce((source, place) => source.copy(place, change), read(path))),
    ]),
    ...Object.entries(edits).map(([path, edit]): [string, string] => [path, String(edit(read(path), resource))]),
  ])
  return { created, edited }
}

function writeMigration({ noun, plural, fields }: Resource): [path: string, text: string] {
  const folder = 'server/migrations'
  const last = Math.max(...readdirSync(folder).map((name) => Number.parseInt(name, 10)))
  const columns = fields.map(
    ({ name, kind, isNullable }) =>
      `{ name: '${name}', type: '${columnTypes[kind]}'${isNullable ? ', isNullable: true' : ''} }`,
  )
  const text = `import type { Kysely } from 'kysely'
import { addOwnedTables } from '../owned/tables.ts'

/** Stop all servers of the previous version first, because they do not count ${plural}. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOwnedTables(db, {
    table: '${plural}',
    counts: '${noun}_counts',
    columns: [${columns.join(', ')}],
    searched: ${searched(fields)},
  })
}
`
  return [`${folder}/${String(last + 1).padStart(4, '0')}-${plural}.ts`, text]
}
