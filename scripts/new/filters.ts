import { type Field, literal, object, quoted } from './fields.ts'
import { filterNames, type Filter } from './kinds/kind.ts'
import { importNamed } from './modules.ts'
import type { Source } from './source.ts'

// Where the code names the fields that lists are filtered and sorted by, in the words of items.

/** A field that has an index. */
type Indexed = Field & { filter: Filter }

/** @param change changes the words of items to those of the resource, where the file has these */
type Edit = (source: Source, fields: readonly Indexed[], change: (text: string) => string) => Source

const textsOf = (fields: readonly Field[]) => fields.map(({ name }) => literal(name))
const parametersOf = (fields: readonly Indexed[]) => fields.flatMap(filterNames)
const withValue = (fields: readonly Indexed[]) => fields.filter(({ filter }) => !filter.isRange)
const withRange = (fields: readonly Indexed[]) => fields.filter(({ filter }) => filter.isRange)

/** The filter that they follow. */
const LAST = 'created_to'
const created = '<FilterCreated search={search} onChange={list.change} />'
const FILTER = /^Filter(?!Note|Linked)/
/** With more filters, the search would have no room. */
const MAX_CHIPS = 3

const places: Record<string, Edit> = {
  'server/items/queries.ts': (source, fields, change) =>
    source
      .addTo(change('itemsTable.filters'), 'elements', textsOf(withValue(fields)))
      .addTo(change('itemsTable.ranges'), 'elements', textsOf(withRange(fields)))
      .addTo(change('ItemSort'), 'union', textsOf(fields))
      .addTo(
        change('itemsTable.sorts'),
        'properties',
        fields.map(
          ({ name, isNullable }) =>
            `${name}: { column: '${name}', hasNewest: true${isNullable ? ', isNullable: true' : ''} }`,
        ),
      ),
  'server/items/sample.ts': (source, fields, change) =>
    source
      .addTo(change('itemSample.filtered'), 'elements', textsOf(withValue(fields)))
      .addTo(change('itemSample.ranges'), 'elements', textsOf(withRange(fields))),
  'src/features/items/items-search.ts': (source, fields, change) => {
    const rules = fields.flatMap((field) =>
      filterNames(field).map((name) => `${name}: ${field.filter.rule(field.name)}`),
    )
    const functions = fields.flatMap(({ name, filter }) => /^\w+/.exec(filter.rule(name))?.[0] ?? [])
    return source
      .addTo(change('itemsSearch'), 'properties', rules, LAST)
      .addTo(change('itemFilters'), 'elements', parametersOf(fields).map(literal))
      .addTo(change('toItemsQuery'), 'bindings', parametersOf(fields), LAST)
      .addTo(change('toItemsQuery'), 'properties', parametersOf(fields), LAST)
      .addImports('@/lib/search-params', functions)
  },
  'src/features/items/items-page.tsx': (source, fields, change) => {
    const controls = fields.map(controlOf)
    if (source.countOf(FILTER) > 1) source.addAfterLast(FILTER, controls.join('\n'))
    else source.set(created, `(<>${[created, ...controls].join('\n')}</>)`)
    importNamed(source, controls.join(' '))
    if (source.countOf(FILTER) > MAX_CHIPS && !String(source).includes('hasManyFilters'))
      source.set('<ListToolbar\n', '<ListToolbar\nhasManyFilters\n')
    if (!fields.some(({ filter }) => filter.values) || String(source).includes('{ choices }')) return source
    return source
      .set('const nameOf =', change("const { choices } = screens['/items'].list\n\nconst nameOf ="))
      .addImports('@/lib/screens', ['screens'])
  },
  'tests/support/items.ts': (source, fields, change) => {
    const filters = fields.map((field) => {
      const [name = ''] = filterNames(field)
      const { values, sample } = field.filter
      const isTime = field.kind.column === 'time'
      return object(
        Object.entries({
          name,
          label: field.label,
          value: values?.[0] ?? sample,
          ...(!values && { isRange: true }),
          ...(isTime && { isTime: true }),
        }),
      )
    })
    return source
      .addTo('sorts', 'elements', textsOf(fields))
      .addTo(change('itemDouble.filters'), 'elements', textsOf(withValue(fields)))
      .addTo(change('itemDouble.ranges'), 'elements', textsOf(withRange(fields)))
      .addTo(change('itemScreen.filters'), 'elements', filters)
  },
}

function controlOf({ name, label, filter }: Indexed): string {
  const { component, attributes = '' } = filter
  if (filter.isRange)
    return `<${component} label="${label}" ${attributes} from={search.${name}_from} to={search.${name}_to} onChange={({ from, to }) => list.change({ ${name}_from: from, ${name}_to: to })} />`
  return `<${component} label="${label}" ${attributes} value={search.${name}} ${filter.values ? `values={choices.${name}} ` : ''}onChoose={(${name}) => list.change({ ${name} })} />`
}

const indexed = (fields: readonly Field[]): Indexed[] =>
  fields.flatMap((field) => (field.kind.filter ? [{ ...field, filter: field.kind.filter }] : []))

/** The files that get filters, besides that of all screens. */
export const filterFiles = (fields: readonly Field[]): string[] =>
  indexed(fields).length > 0 ? Object.keys(places) : []

/** Adds filters to a file of a resource. @param path of the file of items @param change as for an edit */
export function addFilters(
  source: Source,
  path: string,
  fields: readonly Field[],
  change: (text: string) => string = String,
): Source {
  const given = indexed(fields)
  return given.length === 0 ? source : (places[path]?.(source, given, change) ?? source)
}

/** Adds filters and sorts to the screen of a resource. */
export function addScreenFilters(source: Source, plural: string, fields: readonly Field[]): Source {
  const given = indexed(fields)
  const choices = given.flatMap(({ name, filter }) => (filter.values ? [`${name}: ${quoted(filter.values)}`] : []))
  return source
    .addTo(`/${plural}.list.choices.sort`, 'arguments', textsOf(given))
    .addTo(`/${plural}.list.choices`, 'properties', choices, 'sort')
}
