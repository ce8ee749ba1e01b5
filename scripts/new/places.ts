import {
  absent,
  besideOf,
  columnType,
  type Field,
  givenType,
  isOptional,
  literal,
  object,
  quoted,
  rowType,
  seenText,
  typedText,
} from './fields.ts'
import type { Kind } from './kinds/kind.ts'
import { importNamed } from './modules.ts'
import { type Names, unprotect } from './names.ts'
import type { Source } from './source.ts'
import type { ListKind } from './syntax.ts'

// Where the code names the fields of a resource, in the words of items.

/** A list in a file, with entries for each field. */
interface Place {
  /** The declaration that contains the list. */
  in: string
  list: ListKind
  /** How many entries at its beginning are no fields. */
  kept?: number
  /** Only the fields that a resource begins with. */
  isForFirst?: true
  entriesOf: (field: Field, resource: Fields) => string[]
}

export interface Fields extends Names {
  fields: readonly Field[]
  /** The one that names a row, if the resource is new. */
  first?: Field
}

export const schemaOf = ({ pascal }: Field): string => `Item${pascal}Schema`

/** The rule of a form field. */
export function ruleOf(field: Field, { first }: Pick<Fields, 'first'> = {}, bounds = schemaOf(field)): string {
  const missing = field === first ? 'missing' : `'${field.label} is required'`
  return field.kind.rule({ isNullable: field.isNullable, bounds, missing })
}

/** The text of a value in a form. @param row an expression */
export function formValueOf({ name, kind, isNullable }: Field, row: string): string {
  const value = `${row}.${name}`
  if (kind.formValue) return kind.formValue(value)
  if (kind.type === 'number') return isNullable ? `${value} === null ? '' : String(${value})` : `String(${value})`
  return isNullable ? `${value} ?? ''` : value
}

export function emptyValueOf({ kind, isNullable }: Field): string {
  if (kind.type === 'boolean') return 'false'
  if (kind.input.component !== 'SelectField') return "''"
  return `${literal(isNullable ? '' : kind.initial)} as const`
}

export function inputOf(field: Field, labels: string, control = 'control', bounds = schemaOf(field)): string {
  const { name, kind } = field
  const { component, attributes = () => '' } = kind.input
  const required = isOptional(field) ? '' : ' required'
  return `<${component} control={${control}} name="${name}" label={${labels}.${name}} ${attributes(bounds)}${required} />`
}

/** @param isSorted whether the list is sorted by it @param more further properties */
export function columnOf(field: Field, { isSorted = false, bounds = schemaOf(field), more = '' } = {}): string {
  const { name, kind, isNullable, label } = field
  const sort = isSorted && kind.filter ? `sort: '${name}'` : ''
  const properties = ['isNamed: true', more, kind.columnProperties, sort].filter(Boolean).join(', ')
  const values = [name, ...besideOf(field)].join(', ')
  return `{ header: '${label}', ${properties}, cell: ({ ${values} }) => ${kind.cell(name, { isNullable, bounds })} }`
}

export function demoOf({ name, kind, isNullable }: Field, createdAt: string): string {
  // The function has returned if there is no row to link to.
  if (kind.link && !isNullable) return name
  const value = kind.link ? `(${kind.demo(createdAt)} ?? null)` : kind.demo(createdAt)
  return `${name}: ${isNullable ? `english.datatype.boolean() ? ${value} : null` : value}`
}

/** The schemas that rules and inputs use. */
export const boundsOf = (fields: readonly Field[], bounds = schemaOf): string[] =>
  fields
    .filter((field) =>
      `${ruleOf(field, {}, bounds(field))} ${inputOf(field, '', '', bounds(field))}`.includes(bounds(field)),
    )
    .map((field) => bounds(field))

/** Imports what rules and inputs use. */
export function addFormImports(source: Source, fields: readonly Field[], bounds = schemaOf): Source {
  const rules = fields.flatMap((field) => /^\w+(?=\()/.exec(ruleOf(field))?.[0] ?? [])
  source.addImports('@/client/schemas.gen', boundsOf(fields, bounds)).addImports('@/lib/validation/rules', rules)
  const code = fields.map((field) => `${inputOf(field, '')} ${formValueOf(field, '')}`)
  return importNamed(source, code.join(' '))
}

export function addCellImports(source: Source, fields: readonly Field[], boundsIn = schemaOf): Source {
  const code = fields.map((field) => columnOf(field, { bounds: boundsIn(field) })).join(' ')
  const used = fields.map(boundsIn).filter((bounds) => code.includes(bounds))
  return importNamed(source.addImports('@/client/schemas.gen', used), code)
}

/** Imports what the texts of tests use. */
export function addTextImports(source: Source, fields: readonly Field[]): Source {
  const code = fields.map(({ kind: { texts } }) => `${texts?.typed?.('') ?? ''} ${texts?.shown('') ?? ''}`)
  return importNamed(source, code.join(' '))
}

const isFile = ({ kind }: Field): boolean => kind.column === 'file'
const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => name)

/** The fields that `toBody` converts, by its options. */
export const bodyOptions = (fields: readonly Field[]): [option: string, names: string[]][] =>
  [
    ['nullable', namesOf(fields.filter((field) => field.isNullable && !isFile(field)))] as [string, string[]],
    ['numbers', namesOf(fields.filter(({ kind }) => kind.type === 'number'))] as [string, string[]],
    ['files', namesOf(fields.filter(isFile))] as [string, string[]],
  ].filter(([, names]) => names.length > 0)

/** Adds to the lists of fields that `toBody` converts. */
export function addBodyOptions(source: Source, fields: readonly Field[], place: string): Source {
  for (const [option, names] of bodyOptions(fields)) {
    if (source.has(option))
      source.addTo(
        option,
        'elements',
        names.map((name) => `'${name}'`),
      )
    else source.addTo(place, 'properties', [`${option}: ${quoted(names)}`])
  }
  return source
}

const sampleOf = ({ name, kind, isNullable }: Field, noun: string) => {
  const sample = kind.sample(name, noun, { isNullable })
  // Rows that one of the same list links to would be in the way.
  return isLinkToSame(kind, noun) ? { ...sample, least: null, full: null, other: null } : sample
}

const isLinkToSame = ({ link }: Kind, noun: string): boolean => link !== undefined && unprotect(link.noun) === noun
/** The value in an answer, and what stands beside it. */
const storedOf = (field: Field, value: unknown): string[] => [
  `${field.name}: ${literal(value)}`,
  ...besideOf(field).map((key) => `${key}: ${value === null ? null : seenText(field, value)}`),
]
const nameList = ({ name }: Field) => [`'${name}'`]
const searched = (field: Field) => (field.kind.isSearched ? nameList(field) : [])

export const places: Record<string, Place[]> = {
  'server/items/queries.ts': [
    { in: 'Item', list: 'members', entriesOf: (field) => [`${field.name}: ${rowType(field)}`] },
    {
      in: 'itemsTable.fields',
      list: 'properties',
      entriesOf: ({ name, kind }) => [`${name}: ${kind.form ?? "'plain'"}`],
    },
    { in: 'itemsTable.searched', list: 'elements', isForFirst: true, entriesOf: searched },
  ],
  'server/items/rules.ts': [
    {
      in: 'ItemInput',
      list: 'members',
      entriesOf: (field) => [`${field.name}${isOptional(field) ? '?' : ''}: ${givenType(field)}`],
    },
    {
      in: 'items.complete',
      list: 'bindings',
      entriesOf: (field) => [isOptional(field) ? `${field.name} = ${literal(absent(field))}` : field.name],
    },
    { in: 'items.complete', list: 'properties', entriesOf: ({ name }) => [name] },
  ],
  'scripts/seed/items.ts': [
    { in: 'demoItem', list: 'properties', entriesOf: (field) => [demoOf(field, 'row.created_at')] },
  ],
  'server/items/sample.ts': [
    {
      in: 'itemSample.least',
      list: 'properties',
      entriesOf: (field, { noun }) =>
        isOptional(field) ? [] : [`${field.name}: ${literal(sampleOf(field, noun).least)}`],
    },
    {
      in: 'itemSample.leastStored',
      list: 'properties',
      entriesOf: (field, { noun }) => storedOf(field, isOptional(field) ? absent(field) : sampleOf(field, noun).least),
    },
    {
      in: 'itemSample.full',
      list: 'properties',
      entriesOf: (field, { noun, first }) => {
        const { full } = sampleOf(field, noun)
        return [`${field.name}: ${literal(field === first ? `  ${String(full)}  ` : full)}`]
      },
    },
    {
      in: 'itemSample.fullStored',
      list: 'properties',
      entriesOf: (field, { noun }) => storedOf(field, sampleOf(field, noun).full),
    },
    {
      in: 'itemSample.changes',
      list: 'elements',
      entriesOf: (field, { noun }) => [
        ...(isFile(field) || isLinkToSame(field.kind, noun)
          ? []
          : [object([[field.name, sampleOf(field, noun).other]])]),
        ...(field.isNullable ? [object([[field.name, null]])] : []),
      ],
    },
    {
      in: 'itemSample.rejected',
      list: 'elements',
      entriesOf: (field, { noun }) => [`['${field.name}', ${literal(sampleOf(field, noun).wrong)}]`],
    },
    { in: 'itemSample.files', list: 'elements', entriesOf: (field) => (isFile(field) ? nameList(field) : []) },
    { in: 'itemSample.searched', list: 'elements', isForFirst: true, entriesOf: searched },
  ],
  'src/features/items/item-dialogs.tsx': [
    { in: 'itemSchema', list: 'properties', entriesOf: (field, given) => [`${field.name}: ${ruleOf(field, given)}`] },
    { in: 'emptyItem', list: 'properties', entriesOf: (field) => [`${field.name}: ${emptyValueOf(field)}`] },
    { in: 'itemLabels', list: 'properties', entriesOf: ({ name, label }) => [`${name}: '${label}'`] },
    { in: 'toItemValues', list: 'properties', entriesOf: (field) => [`${field.name}: ${formValueOf(field, 'item')}`] },
    { in: 'ItemFields', list: 'children', entriesOf: (field) => [inputOf(field, 'itemLabels')] },
  ],
  'src/features/items/items-page.tsx': [
    {
      in: 'columns',
      list: 'elements',
      kept: 1,
      entriesOf: (field, { first }) =>
        field === first
          ? [
              `{ header: '${field.label}', role: 'title', sort: '${field.name}', cell: ({ ${field.name} }) => <UserText show="cell">{${field.name}}</UserText> }`,
            ]
          : [columnOf(field, { isSorted: true })],
    },
  ],
  'tests/support/items.ts': [
    {
      in: 'makeItem',
      list: 'properties',
      entriesOf: (field, { noun }) => storedOf(field, isOptional(field) ? absent(field) : sampleOf(field, noun).least),
    },
    { in: 'itemDouble.searched', list: 'elements', isForFirst: true, entriesOf: searched },
    {
      in: 'itemScreen.fields',
      list: 'elements',
      entriesOf: (field, { noun }) => {
        if (isFile(field)) return []
        const { full } = sampleOf(field, noun)
        if (isLinkToSame(field.kind, noun)) return []
        return [`{ label: '${field.label}', text: ${typedText(field, full)}, shown: ${seenText(field, full)} }`]
      },
    },
    {
      in: 'itemScreen.files',
      list: 'elements',
      entriesOf: (field) =>
        isFile(field) ? [object([['name', field.name] as const, ['label', field.label] as const])] : [],
    },
    {
      in: 'itemScreen.body',
      list: 'properties',
      entriesOf: (field, { noun }) => [`${field.name}: ${literal(sampleOf(field, noun).full)}`],
    },
  ],
}

/** What files need of other modules. */
const fileImports: Record<string, [module: string, name: string]> = {
  'server/items/queries.ts': ['../files/rules.ts', 'type FileFacts'],
  'server/items/rules.ts': ['../files/rules.ts', 'type FileLink'],
  'scripts/seed/items.ts': ['./demo-data.ts', 'demoFile'],
}

function addFileImports(source: Source, path: string, fields: readonly Field[]): Source {
  const [module = '', name = ''] = fileImports[path] ?? []
  return name === '' || !fields.some(isFile) ? source : source.addImports(module, [name])
}

const entriesOf = (place: Place, given: Fields): string[] =>
  given.fields.flatMap((field) => place.entriesOf(field, given))

/** Replaces the fields in a file of items. */
export function setFields(source: Source, given: Fields): Source {
  for (const place of places[source.path] ?? [])
    source.setList(place.in, place.list, entriesOf(place, given), place.kept)
  return addFileImports(source, source.path, given.fields)
}

/** Adds fields to a file of a resource. @param rename changes the words of items to those of the resource */
export function addFields(source: Source, path: string, given: Fields, rename: (text: string) => string): Source {
  for (const place of places[path] ?? []) {
    if (place.isForFirst) continue
    source.addTo(rename(place.in), place.list, entriesOf(place, given).map(rename))
  }
  return addFileImports(source, path, given.fields)
}

/** Adds fields to the interface of a table, before its times. */
export function addColumns(source: Source, table: string, fields: readonly Field[], after?: string): Source {
  return source.addTo(
    table,
    'members',
    fields.map((field) => `${field.name}: ${columnType(field)}`),
    after,
  )
}
