import { readFileSync } from 'node:fs'
import { type Field, literal } from './fields.ts'
import { addControls } from './filters.ts'
import { type Names, unprotect } from './names.ts'
import { Source } from './source.ts'

// Where the code names the links of a resource to others, in the words of items.

/**
 * @param change changes the words of items to those of the resource, where the file has these
 * @param plural of the resource with the fields
 */
type Edit = (source: Source, fields: readonly LinkField[], change: (text: string) => string, plural: string) => Source

type LinkField = Field & { kind: { link: NonNullable<Field['kind']['link']> } }

const textsOf = (fields: readonly LinkField[]) => fields.map(({ name }) => literal(name))

/** The filter that they follow. */
const LAST = 'created_to'

const places: Record<string, Edit> = {
  'server/items/queries.ts': (source, fields, change) => {
    const links = fields.map(
      ({ name, kind: { link } }) => `${name}: { to: '${link.to}', onDelete: '${link.onDelete}' }`,
    )
    source.addTo(change('itemsTable.filters'), 'elements', textsOf(fields))
    return source.has('links')
      ? source.addTo(change('itemsTable.links'), 'properties', links)
      : source.addTo(change('itemsTable'), 'properties', [`links: { ${links.join(', ')} }`], 'filters')
  },
  'src/features/items/items-list.ts': (source, fields, change) =>
    source.addTo(
      change('itemsList.filters'),
      'properties',
      fields.map(({ name }) => `${name}: id()`),
      LAST,
    ),
  'src/features/items/items-page.tsx': (source, fields) => {
    const controls = fields.map(
      ({ name, label, kind: { link } }) => `<FilterLinked label="${label}" to="${link.to}" {...one('${name}')} />`,
    )
    return addControls(source, controls)
  },
  'tests/support/items.ts': (source, fields, change, plural) => {
    // Tests have no rows that link to one of their own list.
    const others = fields.filter(({ kind }) => unprotect(kind.link.to) !== plural)
    const linked = others.map(
      ({ name, kind: { link } }) => `{ field: '${name}', name: '${link.nameField}', to: '${link.to}' }`,
    )
    source.addTo(change('itemDouble.filters'), 'elements', textsOf(fields))
    if (linked.length === 0) return source
    return source.has('linked')
      ? source.addTo(change('itemScreen.linked'), 'elements', linked)
      : source.addTo(change('itemScreen'), 'properties', [`linked: [${linked.join(', ')}]`], 'filters')
  },
  'scripts/seed/items.ts': (source) => source.addImports('./demo-data.ts', ['demoLink']),
}

const linksOf = (fields: readonly Field[]) =>
  fields.filter((field): field is LinkField => field.kind.link !== undefined)

/** The files of a resource that get links. */
export const linkFiles = (fields: readonly Field[]): string[] => (linksOf(fields).length > 0 ? Object.keys(places) : [])

/** Adds links to a file of a resource. @param path of the file of items @param change as for an edit */
export function addLinkEdits(
  source: Source,
  path: string,
  { fields, plural }: Names & { fields: readonly Field[] },
  change: (text: string) => string = String,
): Source {
  const given = linksOf(fields)
  return given.length === 0 ? source : (places[path]?.(source, given, change, plural) ?? source)
}

/** Adds links to the list of all. @param plural of the resource with the fields */
export function addToLinks(plural: string, fields: readonly Field[]): Source[] {
  const given = linksOf(fields)
  if (given.length === 0) return []
  const path = 'src/data/links.ts'
  const entries = given.map(
    ({ name, kind: { link } }) =>
      `{ from: '${plural}', field: '${name}', to: '${link.to}', onDelete: '${link.onDelete}' }`,
  )
  return [new Source(path, readFileSync(path, 'utf8')).addTo('links', 'elements', entries)]
}

/** Statements before the row of demo data: without a row to link to, there is none. */
export const demoGuards = (fields: readonly Field[]): string =>
  linksOf(fields)
    .filter(({ isNullable }) => !isNullable)
    .map(({ name, kind }) => `const ${name} = ${kind.demo('')}\nif (${name} === undefined) return undefined\n`)
    .join('')
