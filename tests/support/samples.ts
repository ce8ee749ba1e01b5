import contract from '../../openapi.json' with { type: 'json' }
import type { UserPublic, UserUpdateMe } from '../../src/client/types.gen.ts'
import { capitalize, choiceText } from '../../src/lib/text.ts'
import { dayText, timeText, toLocalText } from '../../src/lib/time-text.ts'
import { links, resources } from '../../src/lib/resources.ts'

// Values of the fields of resources and accounts, for tests, from their schemas in the contract. `title`, `examples` (a
// value of a row with the required fields only, of a full row, and another one) and `default` of a schema come first.

interface Schema {
  $ref?: string
  type?: string | (string | null)[]
  enum?: (string | null)[]
  format?: string
  title?: string
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maxLength?: number
  properties?: Record<string, Schema>
  propertyNames?: { enum: string[] }
  required?: string[]
  'x-decimal'?: { minimum: string }
}

interface Parameter {
  $ref: string
}

const { schemas, parameters } = contract.components as unknown as {
  schemas: Record<string, Schema>
  parameters: Record<string, { name: string; schema: Schema }>
}
const paths = contract.paths as unknown as Record<string, { get: { parameters: Parameter[] } }>

/** The row that samples link to. */
export const linkedRow = { id: '22222222-2222-4222-8222-222222222222', name: 'Linked 2' }
export const otherLinkedRow = { id: '33333333-3333-4333-8333-333333333333', name: 'Linked 3' }
const firstLinked = '11111111-1111-4111-8111-111111111111'

type Kind = 'text' | 'integer' | 'decimal' | 'boolean' | 'choice' | 'date' | 'time' | 'link' | 'file'

export interface SampleField {
  name: string
  label: string
  kind: Kind
  isNullable: boolean
  isRequired: boolean
  /** Of texts. */
  maxLength: number
  /** What a new row has that is given without it. */
  absent: unknown
  /** Different values. Those of `full` are greater than those of `least`. `wrong` is rejected. */
  least: unknown
  full: unknown
  other: unknown
  wrong: unknown
  /** What is typed into a form for `full` (`true` ticks a checkbox), and what a list shows. */
  text: string | true
  shown: string
}

export interface Sample {
  /** The plural, which is the table and the path. */
  table: string
  noun: string
  schema: string
  fields: readonly SampleField[]
  /** A request body with the required fields only, and the row that it makes. */
  least: object
  leastStored: object
  /** A request body with all fields, and texts that no other row has. */
  full: object
  fullStored: object
  /** Bodies of updates. Each changes at least one field. */
  changes: object[]
  rejected: [field: string, value: unknown][]
  /** The fields by whose value, and by whose range, lists are filtered. */
  filtered: string[]
  ranges: string[]
  files: string[]
  /** The keys of the filter of a change of many rows. */
  filterKeys: string[]
  /** The searched fields. The first one is the name of a row. */
  searched: [string, ...string[]]
  sorts: string[]
}

const resolve = (schema: Schema = {}): Schema => {
  const { $ref, ...own } = schema
  return $ref === undefined ? own : { ...resolve(schemas[$ref.replace(/.*\//, '')]), ...own }
}

const wordOf = (text: string): string => choiceText(text.replace(/_id$/, ''))

function kindOf(shown: Schema, given: Schema): Kind {
  const { format = '', type } = shown
  if (shown.properties) return 'file'
  if (given.enum) return 'choice'
  if (format === 'uuid') return 'link'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'time'
  if (shown['x-decimal']) return 'decimal'
  if ([type].flat().includes('boolean')) return 'boolean'
  return [type].flat().includes('integer') ? 'integer' : 'text'
}

type Values = [least: unknown, full: unknown, other: unknown, wrong: unknown]

function valuesOf(kind: Kind, { name, noun, given }: { name: string; noun: string; given: Schema }): Values {
  const [isNullable, from] = [[given.type].flat().includes('null'), Math.max(given.minimum ?? 1, 1)]
  const places = given['x-decimal']?.minimum.split('.')[1]?.length ?? 2
  const [first, second] = given.enum ?? []
  const all: Record<Kind, Values> = {
    text: [`Some ${noun}`, `Quick ${name}`, `Lazy ${name}`, isNullable ? 12_345 : '   '],
    integer: [from, from + 6, from + 7, from + 0.5],
    decimal: [...[1, 7.5, -0.5].map((value) => value.toFixed(places)), '1e3'] as Values,
    boolean: [false, true, false, 'yes'],
    choice: [first, second, first, 'none of them'],
    date: ['2026-01-31', '2026-11-21', '2026-12-01', '0026-11-21'],
    time: ['2026-01-31T08:30:00.000Z', '2026-11-21T14:03:00.000Z', '2026-12-01T00:00:00.000Z', '2026-11-21T14:03:00'],
    link: [firstLinked, linkedRow.id, firstLinked, 'nobody'],
    file: [null, null, null, 'a file'],
  }
  const [least, full, other, wrong] = all[kind]
  const { examples = [] } = given
  return [examples[0] ?? least, examples[1] ?? full, examples[2] ?? other, wrong]
}

function textsOf(kind: Kind, full: unknown): Pick<SampleField, 'text' | 'shown'> {
  const value = String(full)
  if (kind === 'boolean') return { text: true, shown: 'Yes' }
  if (kind === 'choice') return { text: value, shown: choiceText(value) }
  if (kind === 'date') return { text: value, shown: dayText(value) }
  if (kind === 'time') return { text: toLocalText(value), shown: timeText(value) }
  return kind === 'link' ? { text: linkedRow.name, shown: linkedRow.name } : { text: value, shown: value }
}

/** @param shown the schema of rows @param created that of a new row @param table the resource, if it is one */
function fieldsOf(names: readonly string[], noun: string, shown: Schema, created: Schema, table?: string) {
  return names.map((name): SampleField => {
    const [own, given] = [shown.properties?.[name] ?? {}, resolve(created.properties?.[name])]
    const kind = kindOf(resolve(own), given)
    const isToSame = links.some(({ from, field, to }) => from === table && to === table && field === name)
    // Tests have no rows that link to one of their own list.
    const values = isToSame ? [null, null, null, 'nobody'] : valuesOf(kind, { name, noun, given })
    const [least, full, other, wrong] = values
    return {
      name,
      label: own.title ?? wordOf(name),
      kind,
      isNullable: kind === 'file' || [given.type].flat().includes('null'),
      isRequired: created.required?.includes(name) ?? false,
      maxLength: given.maxLength ?? 0,
      absent: given.default ?? null,
      least,
      full,
      other,
      wrong,
      ...textsOf(kind, full),
    }
  })
}

const common = new Set(['id', 'owner_id', 'created_at', 'version'])

/** The names of linked rows, which stand beside their ids. */
const nameBeside = (field: string): string => field.replace(/_id$/, '_name')

const bodyOf = (fields: readonly SampleField[], value: (field: SampleField) => unknown): object =>
  Object.fromEntries(fields.map((field) => [field.name, value(field)]))

const leastOf = ({ isRequired, least, absent }: SampleField): unknown => (isRequired ? least : absent)

function sampleOf(table: string, noun: string): Sample {
  const capital = capitalize(noun)
  const bulk = schemas[`${capitalize(table)}Bulk`]
  const [shown = {}, created = {}] = [schemas[`${capital}Public`], schemas[`${capital}Create`]]
  const names = Object.keys(created.properties ?? {}).filter((name) => !common.has(name))
  const fields = fieldsOf(names, noun, shown, created, table)
  const asked = (paths[`/api/v1/${table}/`]?.get.parameters ?? []).map(({ $ref }) => $ref.replace(/.*\//, ''))
  const filters = new Set(asked.flatMap((parameter) => parameters[parameter]?.name ?? []))
  const sorts = parameters[`${capital}Sort`]?.schema.enum ?? []
  const storedOf = (value: (field: SampleField) => unknown) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const id = value(field)
        const beside = [nameBeside(field.name), typeof id === 'string' ? `Linked ${id.charAt(0)}` : null] as const
        return [[field.name, id] as const, ...(field.kind === 'link' ? [beside] : [])]
      }),
    )
  const name = fields.find(({ kind }) => kind === 'text')
  return {
    table,
    noun,
    schema: `${capital}Public`,
    fields,
    least: bodyOf(
      fields.filter(({ isRequired }) => isRequired),
      ({ least }) => least,
    ),
    leastStored: storedOf(leastOf),
    // Names are trimmed.
    full: bodyOf(fields, (field) => (field === name ? `  ${String(field.full)}  ` : field.full)),
    fullStored: storedOf(({ full }) => full),
    changes: fields.flatMap(({ name: field, isNullable, other }) => [
      ...(other === null ? [] : [{ [field]: other }]),
      ...(isNullable ? [{ [field]: null }] : []),
    ]),
    rejected: fields.map((field) => [field.name, field.wrong]),
    // A filter with the name of a text is by something else than its value.
    filtered: fields
      .filter(({ name: field, kind }) => filters.has(field) && kind !== 'link' && kind !== 'text')
      .map((field) => field.name),
    ranges: names.filter((field) => filters.has(`${field}_from`)),
    files: fields.filter(({ kind }) => kind === 'file').map((field) => field.name),
    filterKeys: bulk?.properties?.['filter']?.propertyNames?.enum ?? [],
    searched: fields.filter(({ kind }) => kind === 'text').map((field) => field.name) as [string, ...string[]],
    sorts: sorts.flatMap((sort) => (sort === null || sort.startsWith('-') ? [] : [sort])),
  }
}

export const samples: readonly Sample[] = resources.map(({ tag, noun }) => sampleOf(tag, noun))

/** A resource for tests of what all have in common: the first one without links. A product without one has no such tests. */
export const anyResource = samples.filter(({ fields }) => fields.every(({ kind }) => kind !== 'link')).slice(0, 1)

export function sampleOfTable(table: string): Sample {
  const found = samples.find((sample) => sample.table === table)
  if (!found) throw new Error(`No resource ${table} in src/lib/resources.ts`)
  return found
}

/** A row of a resource, as the API answers it. By default it has what is required. */
export function makeRow(table: string, values: object = {}): Record<string, unknown> & MadeRow {
  return {
    id: crypto.randomUUID(),
    ...sampleOfTable(table).leastStored,
    owner_id: crypto.randomUUID(),
    created_at: '2026-01-01T00:00:00.000Z',
    ...values,
  }
}

interface MadeRow {
  id: string
  owner_id: string
  created_at: string
}

const { UserPublic: user = {}, UserCreate: newUser = {}, UserUpdateMe: ownUser = {} } = schemas

export const profileFields: readonly SampleField[] = fieldsOf(
  Object.keys(ownUser.properties ?? {}).filter((name) => name !== 'email'),
  'user',
  user,
  newUser,
)

export const emptyProfile = Object.fromEntries(profileFields.map(({ name, absent }) => [name, absent])) as Pick<
  UserPublic,
  Exclude<keyof UserUpdateMe, 'email'>
>
