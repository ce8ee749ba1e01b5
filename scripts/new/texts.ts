import { absent, type Field, isOptional, literal, object, quoted } from './fields.ts'
import { filterNames, type Filter } from './kinds/kind.ts'

export interface Place {
  noun: string
  /** Before the names of schemas with bounds: `Order`. */
  prefix: string
  /** The field that names a row, if the resource is new. Its message is that of the form. */
  first?: Field
}

const boundsOf = ({ pascal }: Field, { prefix }: Place): string => `${prefix}${pascal}Schema`

export function definitionOf({ kind, isNullable }: Field, isSearched: boolean): string {
  const { form, initial, filter, link } = kind
  return `{ ${[
    ...(form === undefined ? [] : [`form: ${form}`]),
    ...(initial === undefined || isNullable ? [] : [`initial: ${literal(initial)}`]),
    ...(isSearched && kind.isSearched ? ['isSearched: true'] : []),
    ...(filter ? [`filter: '${filter.isRange ? 'range' : 'value'}'`] : []),
    ...(filter && isNullable ? ['isNullable: true'] : []),
    ...(link ? [`link: ${linkText(link)}`] : []),
  ].join(', ')} }`
}

const linkText = ({ to, onDelete }: { to: string; onDelete: string }) => object(Object.entries({ to, onDelete }))

export const linkEntries = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, kind }) => (kind.link ? [`${name}: ${linkText(kind.link)}`] : []))

/** @param isNew whether the table has no rows yet */
export function columnText({ name, kind, isNullable }: Field, plural: string, isNew = false): string {
  const initial = typeof kind.initial === 'string' && !isNew ? `, initial: '${kind.initial}'` : ''
  const filter = kind.filter ? ', isIndexed: true' : kind.link ? ', isFiltered: true' : ''
  const to = kind.link ? `, to: '${kind.link.to}'` : ''
  return `{ name: '${name}', type: '${kind.column}'${to}${isNullable ? ', isNullable: true' : initial}${plural === 'users' ? '' : filter} }`
}

export function demoOf({ name, kind, isNullable }: Field, { noun }: Place, at: string): string {
  const value = kind.demo({ name, noun, at })
  const orNull = kind.link ? `(${value} ?? null)` : value
  if (isNullable) return `english.datatype.boolean() ? ${orNull} : null`
  // There is one: beginLinkedRow.
  return kind.link ? `${value} ?? ''` : value
}

export function ruleOf(field: Field, place: Place): string {
  const missing = `'${field.label} is required'`
  return field.kind.rule({ isNullable: field.isNullable, bounds: boundsOf(field, place), missing })
}

export function formValueOf({ name, kind, isNullable }: Field, row: string): string {
  const value = `${row}.${name}`
  if (kind.formValue) return kind.formValue(value)
  if (kind.type === 'number') return isNullable ? `${value} === null ? '' : String(${value})` : `String(${value})`
  return isNullable ? `${value} ?? ''` : value
}

export function emptyValueOf(field: Field): string {
  if (field.kind.type === 'boolean') return 'false'
  if (field.kind.input.component !== 'SelectField') return "''"
  return `${literal(absent(field) ?? '')} as const`
}

/** @param labels the object that has its label, and `control` the form: expressions */
export function inputOf(field: Field, place: Place, { labels, control }: { labels: string; control: string }): string {
  const { component, attributes = () => '' } = field.kind.input
  const required = isOptional(field) ? '' : ' required'
  const more = attributes(boundsOf(field, place))
  return `<${component} control={${control}} name="${field.name}" label={${labels}.${field.name}} ${more}${required} />`
}

const cellOf = (field: Field, place: Place, value: string): string =>
  field.kind.cell(value, { isNullable: field.isNullable, bounds: boundsOf(field, place) })

/** Texts are whole, and files have a preview, where there is room for one row only. */
export const wholeCellOf = (field: Field, place: Place, value: string): string =>
  cellOf(field, place, value).replace('show="cell"', 'show="whole"').replace('<FileLink ', '<FileView ')

/** On the page of a row, whose heading is the first field. The only field is also below the heading. */
export const valueTexts = (fields: readonly Field[], place: Place): string[] =>
  fields
    .filter((field) => field !== place.first || fields.length === 1)
    .map((field) => {
      const value = wholeCellOf(field, place, `row.${field.name}`)
      const width = field.kind.isWide ? ' isWide' : ''
      return `<Value name="${field.label}"${width}>${value.startsWith('<') ? value : `{${value}}`}</Value>`
    })

export function listColumnOf(field: Field, place: Place, { isSorted = true, more = '' } = {}): string {
  const { name, kind, label } = field
  const isFirst = field === place.first
  const sort = isFirst || (isSorted && kind.filter) ? `sort: '${name}'` : ''
  const properties = isFirst ? ["role: 'title'"] : ['isNamed: true', more, kind.columnProperties]
  const cell = isFirst ? `<UserText show="cell">{row.${name}}</UserText>` : cellOf(field, place, `row.${name}`)
  return `{ header: '${label}', ${[...properties, sort].filter(Boolean).join(', ')}, cell: (row) => ${cell} }`
}

const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => name)
const isFile = ({ kind }: Field): boolean => kind.column === 'file'

export const bodyOptions = (fields: readonly Field[]): [option: string, names: string[]][] =>
  [
    ['nullable', namesOf(fields.filter((field) => field.isNullable && !isFile(field)))] as [string, string[]],
    ['numbers', namesOf(fields.filter(({ kind }) => kind.type === 'number'))] as [string, string[]],
    ['files', namesOf(fields.filter(isFile))] as [string, string[]],
  ].filter(([, names]) => names.length > 0)

export const bodyText = (fields: readonly Field[]): string =>
  bodyOptions(fields)
    .map(([option, names]) => `${option}: ${quoted(names)}`)
    .join(', ')

type Indexed = Field & { kind: { filter: Filter } }

export const indexed = (fields: readonly Field[]): Indexed[] =>
  fields.filter((field): field is Indexed => field.kind.filter !== undefined)

export const filterRules = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, kind: { filter, link } }) => {
    if (link) return [`${name}: id()`]
    return filter ? filterNames({ name, filter }).map((one) => `${one}: ${filter.rule(name)}`) : []
  })

export const createdFilter = "<FilterCreated {...filter.range('created')} />"

export const filterControls = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, label, kind: { filter, link } }) => {
    if (link) return [`<FilterLinked label="${label}" to="${link.to}" {...filter.one('${name}')} />`]
    const { component = '', attributes = '', isRange = false } = filter ?? {}
    return filter
      ? [`<${component} label="${label}" ${attributes} {...filter.${isRange ? 'range' : 'one'}('${name}')} />`]
      : []
  })

/** More than three filters leave no room for the search. */
export const isMany = (count: number): boolean => count > 3

export const boundsIn = (fields: readonly Field[], place: Place, code: string): string[] =>
  fields.map((field) => boundsOf(field, place)).filter((name) => new RegExp(`\\b${name}\\b`).test(code))
