import { type Field, literal, object } from './fields.ts'
import { filterNames, type Filter } from './kinds/kind.ts'
import { importNamed } from './modules.ts'
import type { Source } from './source.ts'

// Where the code names the fields that lists are filtered and sorted by, in the words of items.

/** A field that has an index. */
type Indexed = Field & { filter: Filter }

/** @param change changes the words of items to those of the resource, where the file has these */
type Edit = (source: Source, fields: readonly Indexed[], change: (text: string) => string) => Source

const textsOf = (fields: readonly Field[]) => fields.map(({ name }) => literal(name))
const withValue = (fields: readonly Indexed[]) => fields.filter(({ filter }) => !filter.isRange)
const withRange = (fields: readonly Indexed[]) => fields.filter(({ filter }) => filter.isRange)

/** The filter that they follow. */
const LAST = 'created_to'
const created = "<FilterCreated {...range('created')} />"
const FILTER = /^Filter(?!Owner)/
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
  'src/features/items/items-list.ts': (source, fields, change) => {
    const rules = fields.flatMap((field) =>
      filterNames(field).map((name) => `${name}: ${field.filter.rule(field.name)}`),
    )
    const functions = fields.flatMap(({ name, filter }) => /^\w+/.exec(filter.rule(name))?.[0] ?? [])
    return source
      .addTo(change('itemsList.filters'), 'properties', rules, LAST)
      .addTo(change('itemsList.sorts'), 'elements', textsOf(fields))
      .addImports('@/lib/search-params', functions)
  },
  'src/features/items/items-page.tsx': (source, fields) => {
    return addControls(source, fields.map(controlOf))
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

/** Adds controls of filters to a page. */
export function addControls(source: Source, controls: readonly string[]): Source {
  if (source.countOf(FILTER) > 1) source.addAfterLast(FILTER, controls.join('\n'))
  else source.set(created, `(<>${[created, ...controls].join('\n')}</>)`)
  importNamed(source, controls.join(' '))
  if (source.countOf(FILTER) > MAX_CHIPS && !String(source).includes('hasManyFilters'))
    source.set('columns={columns}\n', 'columns={columns}\nhasManyFilters\n')
  const given = '{ range }'
  if (controls.some((control) => control.includes('...one(')) && String(source).includes(given))
    source.set(given, '{ one, range }')
  return source
}

function controlOf({ name, label, filter }: Indexed): string {
  const { component, attributes = '' } = filter
  return `<${component} label="${label}" ${attributes} {...${filter.isRange ? 'range' : 'one'}('${name}')} />`
}

const indexed = (fields: readonly Field[]): Indexed[] =>
  fields.flatMap((field) => (field.kind.filter ? [{ ...field, filter: field.kind.filter }] : []))

/** The files that get filters. */
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
