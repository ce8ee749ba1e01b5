import { type Field, literal, object, quoted } from './fields.ts'
import type { Source } from './source.ts'

// Where the code names the filters of a list, in the words of items.

/** @param change changes the words of items to those of the resource, where the file has these */
type Edit = (source: Source, fields: readonly Field[], change: (text: string) => string) => Source

const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => name)
const textsOf = (fields: readonly Field[]) => fields.map(({ name }) => literal(name))

/** The filter that they follow. */
const LAST = 'created_to'
const created = '<FilterCreated search={search} onChange={list.change} />'

const places: Record<string, Edit> = {
  'server/items/queries.ts': (source, fields, change) =>
    source.addTo(change('itemsTable.filters'), 'elements', textsOf(fields)),
  'server/items/sample.ts': (source, fields, change) =>
    source.addTo(change('itemSample.filtered'), 'elements', textsOf(fields)),
  'src/features/items/items-search.ts': (source, fields, change) => {
    const schemas = fields.map(({ name }) => `${name}: optional(z.enum(choices.${name}))`)
    return source
      .addTo(change('itemsSearch'), 'properties', schemas, LAST)
      .addTo(change('itemFilters'), 'elements', textsOf(fields))
      .addTo(change('toItemsQuery'), 'bindings', namesOf(fields), LAST)
      .addTo(change('toItemsQuery'), 'properties', namesOf(fields), LAST)
  },
  'src/features/items/items-page.tsx': (source, fields, change) => {
    const filters = fields.map(
      ({ name, label }) =>
        `<FilterChoice label="${label}" value={search.${name}} values={choices.${name}} onChoose={(${name}) => list.change({ ${name} })} />`,
    )
    const all = [created, ...filters].join('\n')
    if (String(source).includes('<FilterChoice')) return source.set(created, all)
    return source
      .set(created, `(<>${all}</>)`)
      .set('const nameOf =', change("const { choices } = screens['/items'].list\n\nconst nameOf ="))
      .addImports('@/components/list/filter-choice', ['FilterChoice'])
      .addImports('@/lib/screens', ['screens'])
  },
  'tests/support/items.ts': (source, fields, change) => {
    const filters = fields.map(({ name, label, kind }) =>
      object(Object.entries({ name, label, value: kind.filter?.[0] })),
    )
    return source
      .addTo(change('itemDouble.filters'), 'elements', textsOf(fields))
      .addTo(change('itemScreen.filters'), 'elements', filters)
  },
}

const filtered = (fields: readonly Field[]) => fields.filter(({ kind }) => kind.filter)

/** The files that get filters, besides that of all screens. */
export const filterFiles = (fields: readonly Field[]): string[] =>
  filtered(fields).length > 0 ? Object.keys(places) : []

/** Adds filters to a file of a resource. @param path of the file of items @param change as for an edit */
export function addFilters(
  source: Source,
  path: string,
  fields: readonly Field[],
  change: (text: string) => string = String,
): Source {
  const given = filtered(fields)
  return given.length === 0 ? source : (places[path]?.(source, given, change) ?? source)
}

/** Adds filters to the screen of a resource. */
export function addScreenFilters(source: Source, plural: string, fields: readonly Field[]): Source {
  const choices = filtered(fields).map(({ name, kind }) => `${name}: ${quoted(kind.filter ?? [])}`)
  return source.addTo(`/${plural}.list.choices`, 'properties', choices, 'sort')
}
